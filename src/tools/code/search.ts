import { availableParallelism } from 'node:os';

import { PlaybookError } from '../../errors.ts';
import { type GrepPlan, grepRepository } from './grep.ts';
import { inOrder } from './in-order.ts';
import { PageBuilder, type SearchPage, type SearchPlace } from './page.ts';
import type { Repository } from './repositories.ts';

/** Results of later repositories that may wait for an earlier one. */
const MOST_AHEAD = 256;

export interface SearchTask {
  /** In the order of the results, from the one to begin with. */
  readonly repositories: readonly Repository[];
  readonly plan: GrepPlan;
  readonly first: SearchPlace;
  /** Milliseconds that the search may take. */
  readonly budgetMs: number;
  readonly signal: AbortSignal;
}

/**
 * Searches repositories in parallel and gives their matches in order, until the page is full or the time is up. What was
 * not complete by then belongs to the next page: no match is lost between two pages.
 * @throws PlaybookError `tools/cancelled`, `tools/unavailable`.
 */
export async function searchRepositories(task: SearchTask): Promise<SearchPage> {
  const { repositories, plan, first, budgetMs, signal } = task;
  const { limit, contextLines } = plan.query;
  const enough = new AbortController();
  const stop = AbortSignal.any([signal, AbortSignal.timeout(budgetMs), enough.signal]);
  const builder = new PageBuilder({ repositories, first, limit, contextLines, budgetMs });
  // One more than fits tells that there are more.
  const mostOf = ({ name }: Repository): number => limit + 1 + (name === first.repository ? first.skip : 0);
  const outcomes = inOrder(
    repositories,
    async (repository) => grepRepository(repository, plan, { most: mostOf(repository), signal: stop }),
    { atOnce: availableParallelism(), ahead: MOST_AHEAD },
  );
  for await (const [repository, outcome] of outcomes) {
    if (signal.aborted) break;
    builder.add(repository, outcome);
    if (!builder.isDone) continue;
    // Before the loop is left, since leaving it waits for what still runs.
    enough.abort();
    break;
  }
  if (signal.aborted) throw new PlaybookError('tools/cancelled', 'The search was cancelled.');
  return builder.page();
}
