import { type CountedValues, NUMBER_COLUMNS, TEXT_COLUMNS, type TextColumn } from './tables.ts';

/** Some events as numbers, column after column: threads give each other these without a copy, and no collection of garbage looks at them. */
export interface PageColumns {
  /** Of each of `NUMBER_COLUMNS`, what the events have. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** Of each of `TEXT_COLUMNS`, the ids of the texts that the events have; 0 for null. */
  readonly ids: Uint32Array<ArrayBuffer>;
}

/** The same with the numbers of texts in the place of their ids, but for sessions and people. */
export interface CodedPage extends PageColumns {
  readonly texts: NewTexts;
}

/** What texts are numbered by: of queries there are a hundred thousand, of all others a few. */
export type TextKind = 'word' | 'query' | 'list';

/** The texts that no page before had, in the order of their numbers, which go on from there; null for one that is no more. */
type NewTexts = Readonly<Record<TextKind, readonly (string | null)[]>>;

/** Numbers and ids of one event. */
export const NUMBERS = NUMBER_COLUMNS.length;
export const IDS = TEXT_COLUMNS.length;

/** Rows as columns. */
export function toColumns(rows: readonly CountedValues[]): PageColumns {
  const count = rows.length;
  const columns = { numbers: new Float64Array(count * NUMBERS), ids: new Uint32Array(count * IDS) };
  for (let at = 0; at < count; at += 1) {
    const row = rows[at] ?? [];
    for (let column = 0; column < NUMBERS; column += 1) columns.numbers[column * count + at] = row[column] ?? 0;
    for (let column = 0; column < IDS; column += 1) columns.ids[column * count + at] = row[NUMBERS + column] ?? 0;
  }
  return columns;
}

/** Kinds of the columns; undefined for sessions and people, who are only told apart. */
const KINDS = TEXT_COLUMNS.map(kindOf);

function kindOf(column: TextColumn): TextKind | undefined {
  switch (column) {
    case 'session':
    case 'user_name':
      return undefined;
    case 'query':
      return 'query';
    case 'shown':
      return 'list';
    default:
      return 'word';
  }
}

/** Numbers the texts of one page after the other, from 1 in the order in which they come: what is looked up by such a number is a list without gaps. */
export class PageCoder {
  readonly #numberings = { word: new Numbering(), query: new Numbering(), list: new Numbering() };
  readonly #byColumn = KINDS.map((kind) => (kind === undefined ? undefined : this.#numberings[kind]));

  /** Puts numbers in the place of ids, in the page itself. @returns the ids of its new texts. */
  code({ ids }: PageColumns): Readonly<Record<TextKind, readonly number[]>> {
    const count = ids.length / IDS;
    for (const [column, numbering] of this.#byColumn.entries()) {
      if (numbering === undefined) continue;
      const end = (column + 1) * count;
      for (let at = column * count; at < end; at += 1) {
        const id = ids[at] ?? 0;
        if (id !== 0) ids[at] = numbering.of(id);
      }
    }
    const { word, query, list } = this.#numberings;
    return { word: word.takeAdded(), query: query.takeAdded(), list: list.takeAdded() };
  }
}

const CHUNK_BITS = 12;
const CHUNK_SIZE = 1 << CHUNK_BITS;

/** Numbers of ids, which may be few of very many. A dozen of each event are looked up. */
class Numbering {
  readonly #chunks: (Uint32Array | undefined)[] = [];
  #added: number[] = [];
  #count = 0;

  of(id: number): number {
    const chunk = (this.#chunks[id >>> CHUNK_BITS] ??= new Uint32Array(CHUNK_SIZE));
    const place = id & (CHUNK_SIZE - 1);
    const known = chunk[place] ?? 0;
    if (known > 0) return known;
    this.#count += 1;
    this.#added.push(id);
    chunk[place] = this.#count;
    return this.#count;
  }

  /** The ids that were new since this was asked last. */
  takeAdded(): readonly number[] {
    const added = this.#added;
    this.#added = [];
    return added;
  }
}
