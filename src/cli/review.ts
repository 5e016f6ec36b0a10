import type { Proposal } from '../usage/review/proposal.ts';
import { reviewUsage } from '../usage/review/review.ts';
import { momentOf } from './moment.ts';
import type { CommonOptions } from './options.ts';
import { exitWith, green, print, printJson, remark } from './print.ts';
import { reviewGithub } from './review/github.ts';
import { reviewMarkdown } from './review/markdown.ts';
import { reviewText } from './review/text.ts';
import { withUsage } from './usage/view.ts';

interface ReviewOptions {
  readonly format: 'text' | 'markdown' | 'json' | 'github';
  readonly json?: boolean;
  readonly since?: string;
  readonly now?: string;
  readonly failOnProposals?: boolean;
}

/**
 * Proposes what to do about the library, from what was recorded. Exits 1 where asked to and there is anything to do.
 *
 * @throws PlaybookError `cli/usage`.
 */
export async function reviewCommand(common: CommonOptions, options: ReviewOptions): Promise<void> {
  const asked = options.now === undefined ? undefined : momentOf(options.now, Date.now());
  const range = { ...(options.since !== undefined && { since: options.since }), now: asked ?? Date.now() };
  const from = options.since !== undefined && { since: momentOf(options.since, range.now) };
  await withUsage(common, range, async (view) => {
    const { span } = view.folded;
    // A store that nobody writes to any more says nothing about a single entry: its silence is not theirs.
    const now = asked ?? Math.min(Date.now(), span?.last ?? Infinity);
    const proposals = span === undefined ? [] : reviewUsage({ ...view, ...from, now, thresholds: view.config.review });
    if (options.failOnProposals === true && proposals.length > 0) exitWith(1);
    report(proposals, options.json === true ? 'json' : options.format);
    if (span === undefined) remark('No event yet: usage is recorded from the first call of an agent on.');
  });
}

function report(proposals: readonly Proposal[], format: ReviewOptions['format']): void {
  switch (format) {
    case 'json':
      return printJson({ proposals });
    case 'markdown':
      return print(reviewMarkdown(proposals));
    case 'github':
      for (const line of reviewGithub(proposals, process.cwd())) print(line);
      return;
    case 'text':
      if (proposals.length > 0) print(reviewText(proposals));
      else remark(green('Nothing to propose.'));
  }
}
