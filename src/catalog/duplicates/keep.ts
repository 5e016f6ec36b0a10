import type { Playbook, PlaybookEntry } from '../../model.ts';
import { compareIds } from '../order.ts';

/** Which of two duplicates to keep. */
export interface Keep {
  readonly id: string;
  /** Why, as one sentence. */
  readonly reason: string;
}

/** What decides which of two duplicates is kept, beside their texts. */
export interface KeepEvidence {
  /** How many playbooks refer to an entry. */
  readonly referencesTo: (entry: PlaybookEntry) => number;
  /** How often an entry was executed; undefined where nobody counts. */
  readonly useOf?: ((id: string) => number) | undefined;
  /** When an entry was first seen, in milliseconds since 1970; undefined where nobody knows. */
  readonly firstSeenOf?: ((id: string) => number | undefined) | undefined;
}

/** One consideration: how much speaks for an entry, and what to say about the one for which more does. */
interface Consideration {
  readonly weigh: (entry: PlaybookEntry) => number;
  readonly say: (more: number, less: number, kept: PlaybookEntry) => string;
}

/** A body must say so much more than the other one to be called more complete. */
const CLEARLY_LONGER = 1.1;

/** Suggests which of two to keep: the first consideration in which they differ decides. */
export function suggestKeep(a: PlaybookEntry, b: PlaybookEntry, evidence: KeepEvidence): Keep {
  for (const { weigh, say } of considerations(evidence)) {
    const [ofA, ofB] = [weigh(a), weigh(b)];
    if (ofA > ofB) return { id: a.id, reason: say(ofA, ofB, a) };
    if (ofB > ofA) return { id: b.id, reason: say(ofB, ofA, b) };
  }
  return byLength(a, b) ?? byAge(a, b, evidence);
}

function considerations({ referencesTo, useOf }: KeepEvidence): readonly Consideration[] {
  return [
    {
      weigh: ({ playbook }) => Number(playbook.source.isTrusted),
      say: () => 'The other one is of a workspace that nobody trusts yet.',
    },
    { weigh: ({ status }) => Number(status === 'active'), say: () => 'It is active, and the other one is a draft.' },
    {
      weigh: ({ id }) => useOf?.(id) ?? 0,
      say: (more, less) => `It was executed ${times(more)}, the other one ${times(less)}.`,
    },
    {
      weigh: referencesTo,
      say: (more, less) =>
        `${more === 1 ? 'One playbook refers' : `${more} playbooks refer`} to it, ${less === 0 ? 'none' : less} to the other one.`,
    },
    {
      weigh: ({ playbook }) => extrasOf(playbook).length,
      say: (_more, _less, { playbook }) => `It is more complete: it has ${listed(extrasOf(playbook))}.`,
    },
  ];
}

/** What an author has given a playbook beside its text. */
function extrasOf(playbook: Playbook): readonly string[] {
  return [
    ...(playbook.parameters.length > 0 ? ['parameters'] : []),
    ...(playbook.examples.length > 0 ? ['examples'] : []),
    ...(playbook.tags.length > 0 ? ['tags'] : []),
    ...(playbook.owner === undefined ? [] : ['an owner']),
    ...(playbook.supportingFiles.length > 0 ? ['supporting files'] : []),
  ];
}

function byLength(a: PlaybookEntry, b: PlaybookEntry): Keep | undefined {
  const [ofA, ofB] = [wordCountOf(a), wordCountOf(b)];
  const [{ id }, more, less] = ofA >= ofB ? [a, ofA, ofB] : [b, ofB, ofA];
  if (more < CLEARLY_LONGER * less || more === less) return undefined;
  return { id, reason: `It says more: ${more} words, the other one ${less}.` };
}

function byAge(a: PlaybookEntry, b: PlaybookEntry, { firstSeenOf }: KeepEvidence): Keep {
  const [ofA, ofB] = [firstSeenOf?.(a.id), firstSeenOf?.(b.id)];
  if (ofA !== undefined && ofB !== undefined && ofA !== ofB)
    return { id: ofA < ofB ? a.id : b.id, reason: 'It has been there for longer.' };
  const [first] = [a.id, b.id].sort(compareIds);
  return { id: first ?? a.id, reason: 'Nothing tells the two apart, so it is the first by id.' };
}

const WORD = /\S+/g;

/** Counted one by one: a list of thousands of words, for a number, would be most of what comparing leaves to collect. */
function wordCountOf({ playbook: { body } }: PlaybookEntry): number {
  let count = 0;
  for (WORD.lastIndex = 0; WORD.test(body);) count += 1;
  return count;
}

function times(count: number): string {
  return count === 0 ? 'never' : count === 1 ? 'once' : `${count} times`;
}

function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`;
}
