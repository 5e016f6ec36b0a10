import { type CountedValues, NUMBER_COLUMNS, TEXT_COLUMNS, type TextColumn } from './tables.ts';

/** Some events as numbers: threads give each other these without a copy, and no collection of garbage looks at them. */
export interface CodedPage {
  /** Of one event after the other, what `NUMBER_COLUMNS` have. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** Of one event after the other, what `TEXT_COLUMNS` have; 0 for null. Of sessions and people the ids, of the others the numbers of their texts. */
  readonly ids: Uint32Array<ArrayBuffer>;
  readonly texts: NewTexts;
}

/** What texts are numbered by: of queries there are a hundred thousand, of all others a few. */
export type TextKind = 'word' | 'query' | 'list';

/** The texts that no page before had, in the order of their numbers, which go on from there; null for one that is no more. */
type NewTexts = Readonly<Record<TextKind, readonly (string | null)[]>>;

/** Numbers and ids of one event. */
export const NUMBERS = NUMBER_COLUMNS.length;
export const IDS = TEXT_COLUMNS.length;

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
  readonly #byPlace = KINDS.map((kind) => (kind === undefined ? undefined : this.#numberings[kind]));

  /** The page but for its new texts, and their ids. */
  code(rows: readonly CountedValues[]): Pick<CodedPage, 'numbers' | 'ids'> & {
    readonly added: Readonly<Record<TextKind, readonly number[]>>;
  } {
    const numbers = new Float64Array(rows.length * NUMBERS);
    const ids = new Uint32Array(rows.length * IDS);
    let [number, id] = [0, 0];
    for (const row of rows) {
      for (let place = 0; place < NUMBERS; place += 1) numbers[number + place] = row[place] ?? 0;
      for (let place = 0; place < IDS; place += 1) {
        const ofText = row[NUMBERS + place] ?? 0;
        const numbering = this.#byPlace[place];
        ids[id + place] = ofText === 0 || numbering === undefined ? ofText : numbering.of(ofText);
      }
      number += NUMBERS;
      id += IDS;
    }
    const { word, query, list } = this.#numberings;
    return { numbers, ids, added: { word: word.takeAdded(), query: query.takeAdded(), list: list.takeAdded() } };
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
