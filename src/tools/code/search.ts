import { availableParallelism } from 'node:os';

import { PlaybookError } from '../../errors.ts';
import { type GrepOutcome, type GrepPlan, grepRepository, type GrepRun } from './grep.ts';
import { GrepWorkers } from './grep-workers.ts';
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
  const searcher = searcherOf(plan);
  const outcomes = inOrder(
    repositories,
    async (repository) => searcher.grep(repository, { most: mostOf(repository), signal: stop }),
    // One more than there are cores, so that none of them waits for the next repository.
    { atOnce: availableParallelism() + 1, ahead: MOST_AHEAD },
  );
  try {
    for await (const [repository, outcome] of outcomes) {
      if (signal.aborted) break;
      builder.add(repository, outcome);
      if (!builder.isDone) continue;
      // Before the loop is left, since leaving it waits for what still runs.
      enough.abort();
      break;
    }
  } finally {
    searcher.close();
  }
  if (signal.aborted) throw new PlaybookError('tools/cancelled', 'The search was cancelled.');
  return builder.page();
}

interface Searcher {
  readonly grep: (repository: Repository, run: GrepRun) => Promise<GrepOutcome>;
  readonly close: () => void;
}

function searcherOf(plan: GrepPlan): Searcher {
  if (plan.hasThreads || process.platform === 'win32') {
    return { grep: async (repository, run) => grepRepository(repository, plan, run), close: () => undefined };
  }
  const workers = new GrepWorkers(plan);
  return { grep: async (repository, run) => workers.grep(repository, run), close: () => workers.close() };
}
