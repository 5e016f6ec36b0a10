import { COUNTED_COLUMNS, type CountedValues, TEXT_COLUMNS } from './tables.ts';

/** Some events as numbers: threads give each other these without a copy, and no collection of garbage looks at them. */
export interface CodedPage {
  /** The values of one event after the other, each in the order of `COUNTED_COLUMNS`; NaN for null. */
  readonly values: Float64Array<ArrayBuffer>;
  /** The texts, with their ids, of what no page before had. */
  readonly texts: readonly (readonly [id: number, text: string])[];
}

export const EVENT_WIDTH = COUNTED_COLUMNS.length;

/** Sessions and people are only told apart. */
const NEEDED: ReadonlySet<string> = new Set(TEXT_COLUMNS.filter((each) => each !== 'session' && each !== 'user_name'));
/** Places of the texts that are needed. */
const DECODED = COUNTED_COLUMNS.flatMap((column, place) => (NEEDED.has(column) ? [place] : []));

/** The values of events, one after the other. */
export function toNumbers(rows: readonly CountedValues[]): Float64Array<ArrayBuffer> {
  const values = new Float64Array(rows.length * EVENT_WIDTH);
  let at = 0;
  for (const row of rows) {
    for (let place = 0; place < EVENT_WIDTH; place += 1) values[at + place] = row[place] ?? NaN;
    at += EVENT_WIDTH;
  }
  return values;
}

/** The ids of texts that the values have and that are not known yet; they are from then on. */
export function newTexts(values: Float64Array, known: Set<number>): readonly number[] {
  const added: number[] = [];
  for (let at = 0; at < values.length; at += EVENT_WIDTH) {
    for (const place of DECODED) {
      const id = values[at + place] ?? NaN;
      if (Number.isNaN(id) || known.has(id)) continue;
      known.add(id);
      added.push(id);
    }
  }
  return added;
}
