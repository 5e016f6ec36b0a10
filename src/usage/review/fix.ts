import { groupBy } from '../../catalog/group.ts';
import { compareIds } from '../../catalog/order.ts';
import { leastShare } from '../bounds.ts';
import type { StepReport } from '../event.ts';
import { dayOf } from '../day.ts';
import type { EntryUse } from '../join.ts';
import { lateFrom } from './lately.ts';
import { counted, type FixProposal, pathOf, idArgument, type ReviewInput, toDate, windowStart } from './proposal.ts';

/** Fewer failed sessions than this are bad luck, however few sessions there were. */
const FEWEST_FAILED = 3;
/** What fails twice as often as is usual here is not the network's fault. */
const TIMES_USUAL = 2;

interface Sessions {
  readonly sessions: number;
  readonly failed: number;
}

/**
 * Entries that fail, the surest first: those whose failed sessions leave no doubt (the lower Wilson bound) that they fail more often than
 * is allowed and than is usual in this catalog; and those of whose text as it is an agent reported a wrong step. Only what happened
 * of late to the text as it is counts.
 */
export function findFailing(input: ReviewInput): readonly FixProposal[] {
  const reports = groupBy(input.reports, ({ entry }) => entry);
  const recent = new Map(input.uses.map((use) => [use, recentSessions(use, input)]));
  const total = sumOf(recent.values());
  return input.uses
    .filter(({ entry }) => entry.status !== 'retired')
    .flatMap((use) => {
      const own = recent.get(use) ?? { sessions: 0, failed: 0 };
      const usual = shareOf({ sessions: total.sessions - own.sessions, failed: total.failed - own.failed });
      const open = (reports.get(use.id) ?? []).filter(({ digest }) => digest === use.entry.digest);
      const isFailing =
        own.failed >= FEWEST_FAILED &&
        leastShare(own.failed, own.sessions) > Math.max(input.thresholds.maxFailureRatio, TIMES_USUAL * usual);
      return isFailing || open.length > 0 ? [toProposal(use, { own, usual, open, isFailing })] : [];
    })
    .sort((a, b) => b.evidence.leastFailureRatio - a.evidence.leastFailureRatio || compareIds(a.entry, b.entry));
}

/** Where the store has met the text as it is, none from before that; else (another program's digests) none from before the window. */
function recentSessions({ tally, entry }: EntryUse, input: ReviewInput): Sessions {
  if (tally === undefined) return { sessions: 0, failed: 0 };
  const window = windowStart(input);
  const floor = tally.digests.get(entry.digest) ?? window;
  const since = (from: number): Sessions => {
    const days = [...tally.days].filter(([day]) => day >= from).map(([, each]) => each);
    return sumOf(days.map(({ sessions, failedSessions }) => ({ sessions, failed: failedSessions })));
  };
  const ofWindow = since(dayOf(Math.max(window, floor)));
  // What has not failed for so long may have been mended elsewhere.
  return ofWindow.failed === 0 ? ofWindow : since(lateFrom(tally, floor, input));
}

function sumOf(all: Iterable<Sessions>): Sessions {
  let [sessions, failed] = [0, 0];
  for (const each of all) {
    sessions += each.sessions;
    failed += each.failed;
  }
  return { sessions, failed };
}

function shareOf({ sessions, failed }: Sessions): number {
  return sessions === 0 ? 0 : failed / sessions;
}

interface Failure {
  readonly own: Sessions;
  readonly usual: number;
  readonly open: readonly StepReport[];
  readonly isFailing: boolean;
}

function toProposal(use: EntryUse, { own, usual, open, isFailing }: Failure): FixProposal {
  const { entry, id, tally } = use;
  const failing = `It failed in ${own.failed} of ${counted(own.sessions, 'session')} of late.`;
  const reported = `${counted(open.length, 'report')} of a wrong or outdated step.`;
  return {
    kind: 'fix',
    entry: id,
    path: pathOf(use),
    reason: [...(isFailing ? [failing] : []), ...(open.length > 0 ? [reported] : [])].join(' '),
    // `tools test` would call the tool for real, which a command that is pasted should not.
    command: entry.kind === 'tool' ? 'playbook-mcp tools status' : `playbook-mcp show ${idArgument(entry)}`,
    evidence: {
      sessions: own.sessions,
      failedSessions: own.failed,
      leastFailureRatio: leastShare(own.failed, own.sessions),
      usualFailureRatio: usual,
      errors: Object.fromEntries([...(tally?.errors ?? [])].sort((a, b) => b[1] - a[1] || compareIds(a[0], b[0]))),
      reports: open.map(({ time, step, problem }) => ({ time: toDate(time), step, problem })),
    },
  };
}
