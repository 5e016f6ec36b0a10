import { type CountedValues, NUMBER_COLUMNS, TEXT_COLUMNS } from './tables.ts';

/** Some events as numbers: threads give each other these without a copy, and no collection of garbage looks at them. */
export interface CodedPage {
  /** Of one event after the other, what `NUMBER_COLUMNS` have. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** Of one event after the other, the ids that `TEXT_COLUMNS` have; 0 for null. */
  readonly ids: Uint32Array<ArrayBuffer>;
  /** The texts, with their ids, of what no page before had. */
  readonly texts: readonly (readonly [id: number, text: string])[];
}

/** Numbers and ids of one event. */
export const NUMBERS = NUMBER_COLUMNS.length;
export const IDS = TEXT_COLUMNS.length;

/** Places of the texts that are needed: sessions and people are only told apart. */
const NEEDED = TEXT_COLUMNS.flatMap((column, place) => (column === 'session' || column === 'user_name' ? [] : [place]));

export function toNumbers(rows: readonly CountedValues[]): Pick<CodedPage, 'numbers' | 'ids'> {
  const numbers = new Float64Array(rows.length * NUMBERS);
  const ids = new Uint32Array(rows.length * IDS);
  let [number, id] = [0, 0];
  for (const row of rows) {
    for (let place = 0; place < NUMBERS; place += 1) numbers[number + place] = row[place] ?? 0;
    for (let place = 0; place < IDS; place += 1) ids[id + place] = row[NUMBERS + place] ?? 0;
    number += NUMBERS;
    id += IDS;
  }
  return { numbers, ids };
}

/** The ids of texts that are needed and not known yet; they are from then on. */
export function newTexts(ids: Uint32Array, known: Set<number>): readonly number[] {
  const added: number[] = [];
  for (let at = 0; at < ids.length; at += IDS) {
    for (const place of NEEDED) {
      const id = ids[at + place] ?? 0;
      if (id === 0 || known.has(id)) continue;
      known.add(id);
      added.push(id);
    }
  }
  return added;
}
