import { tokenCountOf } from '../catalog/tokens.ts';
import type { CutText, Piece } from './cut-text.ts';

/** A place in texts that follow each other. */
export interface Place {
  /** Index of the text. */
  readonly text: number;
  /** See `CutText`. */
  readonly position: number;
}

/** As much of the texts as fits on one page. */
export interface Page {
  /** In order, at most one of each text. */
  readonly pieces: readonly PlacedPiece[];
  /** Where the next page begins; undefined behind the last. */
  readonly next: Place | undefined;
}

interface PlacedPiece extends Piece {
  readonly from: Place;
}

export const BEGINNING: Place = { text: 0, position: 0 };

/** What the page has from a place on; never empty where there is anything. A text is begun only where it has half a page, or ends. */
export function pageAt(texts: readonly CutText[], from: Place, pageTokens: number): Page {
  const pieces: PlacedPiece[] = [];
  let place: Place = from;
  let left = pageTokens;
  for (let cut = texts[place.text]; cut !== undefined; cut = texts[place.text]) {
    const isWholePage = pieces.length === 0;
    const piece = cut.take(place.position, { tokens: left, isWholePage });
    if (piece === undefined) return { pieces, next: place };
    if (!isWholePage && piece.next !== undefined && left < pageTokens / 2) return { pieces, next: place };
    pieces.push({ ...piece, from: place });
    if (piece.next !== undefined) return { pieces, next: { text: place.text, position: piece.next } };
    left -= tokenCountOf(piece.text);
    place = { text: place.text + 1, position: 0 };
  }
  return { pieces, next: undefined };
}

/** A place as the agent passes it back. */
export function toCursor({ text, position }: Place): string {
  return `${text}.${position}`;
}

/** The place that a cursor means; undefined where it means none in these texts. */
export function placeOf(cursor: string, texts: readonly CutText[]): Place | undefined {
  const [, index, at] = /^(\d{1,9})\.(\d{1,10})$/.exec(cursor.trim()) ?? [];
  if (index === undefined || at === undefined) return undefined;
  const place = { text: Number(index), position: Number(at) };
  return place.position < (texts[place.text]?.length ?? 0) ? place : undefined;
}
