import type { Status } from '../../model.ts';

/** What the page of `report` is given, in a block of JSON. Days are numbered since 1970 (UTC), see `dayOf`. */
export interface ReportData {
  readonly title: string;
  /** When it was made, milliseconds since 1970. */
  readonly madeAt: number;
  /** The first and last day that is counted; undefined where nothing was recorded. */
  readonly span?: { readonly first: number; readonly last: number };
  readonly totals: {
    readonly events: number;
    /** 0 where people are not known. */
    readonly people: number;
    readonly repositories: number;
  };
  readonly clients: readonly ReportClient[];
  readonly entries: readonly ReportEntry[];
  readonly counts: Readonly<Record<EntryMeasure, EntryCounts>>;
  readonly missing: readonly MissingQueries[];
  /** How many there are, more than are listed. */
  readonly missingCount: number;
  /** True where events do not tell what was asked, so that nothing can be said to be missing. */
  readonly hasNoQueries: boolean;
  readonly proposals: readonly ReportProposal[];
}

/** What is counted of each entry. */
export type EntryMeasure = 'uses' | 'failures' | 'shown';

/** What is counted of each client, by day. */
export type ClientMeasure = 'searches' | 'empty' | 'sessions' | 'searched' | 'readSchema' | 'used';

export interface ReportClient {
  /** As it calls itself; '' where it does not. */
  readonly name: string;
  /** `numbersToText` of a count for each day from the first to the last. */
  readonly days: Readonly<Record<ClientMeasure, string>>;
}

/** Counts of entries over time, as fine as there is room for. */
export interface EntryCounts {
  /** Days of a bucket; bucket 0 ends with the last day, and the others go back from it. */
  readonly bucketDays: number;
  /** By client: `numbersToText` of entry, number of cells, and for each the bucket and its count; entries and buckets as the step from the one before. */
  readonly texts: readonly string[];
}

export interface ReportEntry {
  /** As events name it. */
  readonly id: string;
  readonly kind: 'playbook' | 'tool';
  readonly source: string;
  /** The repository where it is a playbook of another workspace than the one at hand. */
  readonly repo?: string;
  readonly tags: readonly string[];
  readonly owner?: string;
  /** `gone`: used, but in this catalog no more. */
  readonly status: Status | 'gone';
  /** True where the people of this catalog do not answer for it, so that nobody need care how little it is used. */
  readonly isOthers?: true;
  /** Day since when it could be used. */
  readonly since?: number;
  /** What follows is of everything that was recorded. */
  readonly lastUse?: number;
  /** 0 where people are not known. */
  readonly people?: number;
  /** Milliseconds within which 95 of 100 uses were answered. */
  readonly p95Ms?: number;
  readonly tokens?: number;
}

/** A need in the words of those who have it, that led to nothing. */
export interface MissingQueries {
  /** Wordings, the most frequent first; at most 5. */
  readonly queries: readonly string[];
  /** How many wordings there are. */
  readonly wordings: number;
  readonly unanswered: number;
  readonly answered: number;
  /** People where they are known, else sessions; 32 stands for more too. */
  readonly askedBy: number;
  /** Day on which it was asked last. */
  readonly last: number;
  /** True where the review proposes to write it. */
  readonly isProposed: boolean;
}

/** A proposal as far as the page shows it: no path of the machine that made it. */
export interface ReportProposal {
  /** As `Proposal` has it, whose file the page does not read: it leads to the configuration and Node. */
  readonly kind: 'retire' | 'merge' | 'rewrite' | 'fix' | 'write' | 'undeprecate';
  /** Entries that it is about; [] for a playbook to write. */
  readonly entries: readonly string[];
  readonly title: string;
  readonly reason: string;
  readonly command: string;
  /** Evidence in lines. */
  readonly details: readonly string[];
}
