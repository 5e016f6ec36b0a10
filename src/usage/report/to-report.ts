import type { Folded } from '../fold/fold.ts';
import type { EntryUse } from '../join.ts';
import type { Proposal } from '../review/proposal.ts';
import { unansweredOf } from '../unanswered.ts';
import { byPlace, mainClients, toReportClient } from './clients.ts';
import type { EntryMeasure, ReportData } from './data.ts';
import { listEntries } from './entries.ts';
import { packCounts } from './entry-counts.ts';
import { listMissing } from './missing-queries.ts';
import { toReportProposal } from './proposals.ts';
import type { UsageCounter } from './usage-counter.ts';

export interface ReportInput {
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  readonly folded: Folded;
  /** The observer of that fold. */
  readonly counter: UsageCounter;
  readonly uses: readonly EntryUse[];
  readonly proposals: readonly Proposal[];
}

/** The data of the page: some 100 bytes an entry, some 2 for each day on which one was used or listed, and at most about 2 MB. */
export function toReportData({ title, madeAt, folded, counter, uses, proposals }: ReportInput): ReportData {
  counter.settle();
  const { first, last } = counter;
  const span = first === undefined ? undefined : { first, last };
  const clients = mainClients(counter.clients.values());
  const listed = listEntries(folded, uses);
  const placeOf = new Map(listed.flatMap(({ tally }, place) => (tally === undefined ? [] : [[tally, place] as const])));
  const pack = (measure: EntryMeasure): ReportData['counts'][EntryMeasure] =>
    packCounts(
      clients.map(({ entries }) => byPlace(entries[measure], placeOf)),
      last,
    );
  return {
    title,
    madeAt,
    ...(span !== undefined && { span }),
    totals: { events: counter.events, people: counter.people.size, repositories: counter.repositories.size },
    clients: span === undefined ? [] : clients.map((client) => toReportClient(client, span)),
    entries: listed.map(({ entry }) => entry),
    counts: { uses: pack('uses'), failures: pack('failures'), shown: pack('shown') },
    ...listMissing(unansweredOf(folded), proposals),
    hasNoQueries: counter.queries === 0,
    proposals: proposals.map(toReportProposal),
  };
}
