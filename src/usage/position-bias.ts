import { greatestMean } from './bounds.ts';
import type { Listing, QueryTally } from './fold/query-tally.ts';
import type { EntryTally } from './fold/tally.ts';

/** A list counts at most so many times: a nightly job asks one thing 365 times a year and says it once. */
const MOST_REPEATS = 20;
/** Ranks from here on are one: few look so far. */
const LAST_RANK = 25;
/** Imagined looks at each rank with the choice rate of the one before, so that a rank nobody has looked at promises no more. */
const IMAGINED_LOOKS = 20;

/** How often an entry was taken from lists, beside what its places in them promised. */
export interface Choice {
  /** Looks at it: searches in which nothing better above it ended the search. */
  looks: number;
  /** Times that it was taken. */
  chosen: number;
  /** Times that an entry of the catalog is taken when it is looked at as often at the same ranks. */
  expected: number;
}

/** Chances that an entry is taken when it is looked at, by 1-based rank; index 0 is not used. */
export type ChoiceRates = readonly number[];

/**
 * How often an entry is taken at each rank, over the whole catalog. Looks are counted by the cascade model: whoever takes an entry has
 * looked at those above it and not at those below; whoever takes none has looked at all.
 * @see Craswell et al. 2008, An experimental comparison of click position-bias models; Joachims et al. 2005, Accurately interpreting
 * clickthrough data as implicit feedback.
 */
export function choiceRates(queries: Iterable<QueryTally>): ChoiceRates {
  const looks = new Float64Array(LAST_RANK + 1);
  const chosen = new Float64Array(LAST_RANK + 1);
  for (const { listings } of queries) {
    listings.forEach((listing) => {
      eachPlace(listing, (place, counts) => {
        const rank = rankOf(place);
        looks[rank] = (looks[rank] ?? 0) + counts.looks;
        chosen[rank] = (chosen[rank] ?? 0) + counts.chosen;
      });
    });
  }
  const rates = [0];
  for (let rank = 1; rank <= LAST_RANK; rank += 1) {
    const before = rates[rank - 1] ?? 0;
    rates.push(((chosen[rank] ?? 0) + IMAGINED_LOOKS * before) / ((looks[rank] ?? 0) + IMAGINED_LOOKS));
  }
  return rates;
}

/**
 * What was taken of each entry beside what was to be expected.
 * @see Zhang & Jones 2007, Comparing click logs and editorial labels for training query rewriting (clicks over expected clicks).
 */
export function choicesOf(queries: Iterable<QueryTally>, rates: ChoiceRates): ReadonlyMap<EntryTally, Choice> {
  const choices = new Map<EntryTally, Choice>();
  const choiceOf = (entry: EntryTally): Choice => {
    const choice = choices.get(entry) ?? { looks: 0, chosen: 0, expected: 0 };
    choices.set(entry, choice);
    return choice;
  };
  // Once a list: many queries are answered with the same one.
  const byList = new Map<Listing['shown'], readonly Choice[]>();
  for (const { listings } of queries) {
    listings.forEach((listing) => {
      if (looksAt(listing) === 0) return;
      const ofList = byList.get(listing.shown) ?? listing.shown.map(choiceOf);
      byList.set(listing.shown, ofList);
      eachPlace(listing, (place, counts) => {
        const choice = ofList[place];
        if (choice === undefined) return;
        choice.looks += counts.looks;
        choice.chosen += counts.chosen;
        choice.expected += counts.looks * (rates[rankOf(place)] ?? 0);
      });
    });
  }
  return choices;
}

/** Chosen beside expected; 1 where nothing is known. */
export function ratioOf(choice: Choice | undefined): number {
  return choice === undefined || choice.expected === 0 ? 1 : choice.chosen / choice.expected;
}

/** The greatest ratio that is credible; infinite where nothing is known. */
export function greatestRatioOf(choice: Choice | undefined): number {
  return choice === undefined || choice.expected === 0 ? Infinity : greatestMean(choice.chosen) / choice.expected;
}

/** @param place 0-based. @param counts good until the next call: there are ten places on each of a hundred thousand lists */
type VisitPlace = (place: number, counts: Readonly<Pick<Choice, 'looks' | 'chosen'>>) => void;

function eachPlace(listing: Listing, visit: VisitPlace): void {
  const { shown, depths, chosen } = listing;
  let looks = looksAt(listing);
  if (looks === 0) return;
  const weight = Math.min(1, MOST_REPEATS / looks);
  const counts = { looks: 0, chosen: 0 };
  let place = 0;
  for (const entry of shown) {
    looks -= depths[place] ?? 0;
    counts.looks = weight * looks;
    counts.chosen = weight * (chosen?.get(entry) ?? 0);
    visit(place, counts);
    place += 1;
  }
}

/** Searches that looked at the first of a list. */
function looksAt({ unchosen, depths }: Listing): number {
  let looks = unchosen;
  for (const count of depths) looks += count;
  return looks;
}

function rankOf(place: number): number {
  return Math.min(place + 1, LAST_RANK);
}
