/** Boxes and lines without the page: sizes in, places out. All lengths are in pixels. */
export interface LayoutBox {
  readonly key: string;
  readonly width: number;
}

export interface LayoutLine {
  readonly from: string;
  readonly to: string;
}

export interface Place {
  /** Left upper corner. */
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  readonly places: ReadonlyMap<string, Place>;
  readonly width: number;
  readonly height: number;
}

export const BOX_HEIGHT = 28;
const ROW_GAP = 12;
const COLUMN_GAP = 56;
/** Rows of a wide picture stand further apart, so that its lines are told from each other; at most by this. */
const MOST_ROW_GAP = 40;
const BLOCK_GAP = 40;
/** Passes that put boxes beside what they are linked to; more of them hardly change a picture. */
const SWEEPS = 6;
/** Width to height of the whole. */
const ASPECT = 1.5;

/**
 * Places boxes in columns, what refers left of what it refers to; parts that are not connected side by side.
 * Layered as Sugiyama does it, but without the dummy boxes of long lines: with them (dagre) 400 boxes and 1,200 lines took
 * 9 to 27 s, and the time had no bound. Here it is linear in boxes and lines, but for sorting.
 *
 * @see Sugiyama, Tagawa, Toda 1981, Methods for visual understanding of hierarchical system structures.
 */
export function layOut(boxes: readonly LayoutBox[], lines: readonly LayoutLine[]): Layout {
  const parts = partsOf(boxes, lines);
  const single = parts.filter(({ boxes: { length } }) => length === 1).flatMap((part) => part.boxes);
  const blocks = parts.filter((part) => part.boxes.length > 1).map((part) => layOutColumns(columnsOf(part)));
  const tallestFirst = blocks.toSorted((a, b) => b.height - a.height);
  return pack([...tallestFirst, ...(single.length === 0 ? [] : [layOutColumns(gridOf(single), COLUMN_GAP / 4)])]);
}

interface Part {
  readonly boxes: readonly LayoutBox[];
  readonly lines: readonly LayoutLine[];
}

function partsOf(boxes: readonly LayoutBox[], lines: readonly LayoutLine[]): readonly Part[] {
  const near = neighbours(lines);
  const partOf = new Map<string, number>();
  let count = 0;
  for (const { key } of boxes) {
    if (partOf.has(key)) continue;
    const reached = new Set([key]);
    for (const each of reached) for (const next of near.get(each) ?? []) reached.add(next);
    for (const each of reached) partOf.set(each, count);
    count += 1;
  }
  const parts = Array.from({ length: count }, (): { boxes: LayoutBox[]; lines: LayoutLine[] } => ({
    boxes: [],
    lines: [],
  }));
  for (const box of boxes) parts[partOf.get(box.key) ?? 0]?.boxes.push(box);
  for (const line of lines) parts[partOf.get(line.from) ?? 0]?.lines.push(line);
  return parts;
}

function neighbours(lines: readonly LayoutLine[]): ReadonlyMap<string, readonly string[]> {
  const near = new Map<string, string[]>();
  const add = (from: string, to: string): void => {
    const known = near.get(from);
    if (known === undefined) near.set(from, [to]);
    else known.push(to);
  };
  for (const { from, to } of lines) {
    add(from, to);
    add(to, from);
  }
  return near;
}

type Column = readonly LayoutBox[];

function columnsOf(part: Part): readonly Column[] {
  const layerOf = layersOf(part);
  const layers: LayoutBox[][] = [];
  for (const box of part.boxes) (layers[layerOf.get(box.key) ?? 0] ??= []).push(box);
  const near = neighbours(part.lines);
  const sorted = sweep(layers, near);
  const rows = Math.max(8, Math.ceil(Math.sqrt(part.boxes.length * 4.5)));
  return sorted.flatMap((layer) => chunks(layer, Math.ceil(layer.length / Math.ceil(layer.length / rows))));
}

/**
 * The longest way to each box from one that nothing leads to, without lines that close a circle. Where many do, that way goes round
 * through nearly all boxes: then the shortest way to each.
 */
function layersOf(part: Part): ReadonlyMap<string, number> {
  const { below, starts } = waysOf(part);
  const longest = longestWays(starts, below);
  const isSnake = Math.max(...longest.values()) > 1.5 * Math.sqrt(part.boxes.length) + 4;
  return isSnake ? shortestWays(starts, below) : longest;
}

interface Ways {
  readonly below: ReadonlyMap<string, readonly string[]>;
  /** Every box, those first to which least leads. */
  readonly starts: readonly LayoutBox[];
}

function waysOf({ boxes, lines }: Part): Ways {
  const below = new Map<string, string[]>(boxes.map(({ key }) => [key, []]));
  const incoming = new Map<string, number>(boxes.map(({ key }) => [key, 0]));
  for (const { from, to } of lines) {
    below.get(from)?.push(to);
    incoming.set(to, (incoming.get(to) ?? 0) + 1);
  }
  return { below, starts: boxes.toSorted((a, b) => (incoming.get(a.key) ?? 0) - (incoming.get(b.key) ?? 0)) };
}

function shortestWays(starts: readonly LayoutBox[], below: Ways['below']): ReadonlyMap<string, number> {
  const layerOf = new Map<string, number>();
  for (const { key: start } of starts) {
    if (layerOf.has(start)) continue;
    layerOf.set(start, 0);
    const reached = new Set([start]);
    for (const key of reached) {
      for (const next of below.get(key) ?? []) {
        if (layerOf.has(next)) continue;
        layerOf.set(next, (layerOf.get(key) ?? 0) + 1);
        reached.add(next);
      }
    }
  }
  return layerOf;
}

function longestWays(starts: readonly LayoutBox[], below: Ways['below']): ReadonlyMap<string, number> {
  const order = new Map(reversePostorder(starts, below).map((key, at) => [key, at]));
  const layerOf = new Map<string, number>();
  for (const [key, at] of order) {
    const layer = layerOf.get(key) ?? 0;
    layerOf.set(key, layer);
    for (const next of below.get(key) ?? []) {
      if ((order.get(next) ?? 0) > at) layerOf.set(next, Math.max(layerOf.get(next) ?? 0, layer + 1));
    }
  }
  return layerOf;
}

/** Every box before those that it leads to, but for lines that close a circle; iterative, since a chain may be long. */
function reversePostorder(
  starts: readonly LayoutBox[],
  below: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const entered = new Set<string>();
  const left: string[] = [];
  for (const { key } of starts) {
    const path = entered.has(key) ? [] : [{ key, rest: (below.get(key) ?? []).values() }];
    entered.add(key);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.rest.next();
      if (next.done === true) {
        left.push(top.key);
        path.pop();
      } else if (!entered.has(next.value)) {
        entered.add(next.value);
        path.push({ key: next.value, rest: (below.get(next.value) ?? []).values() });
      }
    }
  }
  return left.toReversed();
}

/** Orders each layer by where its boxes' neighbours stand, so that lines are short and cross little. */
function sweep(layers: readonly Column[], near: ReadonlyMap<string, readonly string[]>): readonly Column[] {
  let sorted = layers;
  const rank = new Map<string, number>();
  const settle = (layer: Column): void => layer.forEach(({ key }, at) => rank.set(key, (at + 0.5) / layer.length));
  sorted.forEach(settle);
  const middle = ({ key }: LayoutBox): number => {
    const beside = near.get(key) ?? [];
    const sum = beside.reduce((total, each) => total + (rank.get(each) ?? 0), 0);
    return beside.length === 0 ? (rank.get(key) ?? 0) : sum / beside.length;
  };
  for (let pass = 0; pass < SWEEPS; pass += 1) {
    sorted = sorted.map((layer) => {
      const places = new Map(layer.map((box) => [box, middle(box)]));
      const next = layer.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
      settle(next);
      return next;
    });
  }
  return sorted;
}

function gridOf(boxes: readonly LayoutBox[]): readonly Column[] {
  const widest = Math.max(...boxes.map(({ width }) => width)) + COLUMN_GAP / 4;
  const rows = Math.ceil(Math.sqrt((boxes.length * widest) / (BOX_HEIGHT + ROW_GAP) / ASPECT));
  return chunks(boxes, Math.max(1, rows));
}

function chunks<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/** Columns side by side, each in the middle of the tallest. */
function layOutColumns(columns: readonly Column[], gap: number = COLUMN_GAP): Layout {
  const widths = columns.map((column) => Math.max(...column.map(({ width }) => width)) + gap);
  const width = widths.reduce((sum, each) => sum + each, -gap);
  const rows = Math.max(...columns.map(({ length }) => length));
  const isLinked = gap === COLUMN_GAP;
  const rowGap = isLinked ? Math.min(MOST_ROW_GAP, Math.max(ROW_GAP, width / ASPECT / rows - BOX_HEIGHT)) : ROW_GAP;
  const heightOf = (count: number): number => count * (BOX_HEIGHT + rowGap) - rowGap;
  const places = new Map<string, Place>();
  let x = 0;
  for (const [at, column] of columns.entries()) {
    const top = (heightOf(rows) - heightOf(column.length)) / 2;
    column.forEach(({ key }, row) => places.set(key, { x, y: top + row * (BOX_HEIGHT + rowGap) }));
    x += widths[at] ?? 0;
  }
  return { places, width, height: heightOf(rows) };
}

/** Blocks on shelves, in their order. */
function pack(blocks: readonly Layout[]): Layout {
  const area = blocks.reduce((sum, { width, height }) => sum + (width + BLOCK_GAP) * (height + BLOCK_GAP), 0);
  const shelf = Math.max(Math.sqrt(area * ASPECT), ...blocks.map(({ width }) => width));
  const places = new Map<string, Place>();
  const at = { x: 0, y: 0, width: 0, bottom: 0 };
  for (const block of blocks) {
    if (at.x > 0 && at.x + block.width > shelf) Object.assign(at, { x: 0, y: at.bottom + BLOCK_GAP });
    for (const [key, { x, y }] of block.places) places.set(key, { x: at.x + x, y: at.y + y });
    at.x += block.width + BLOCK_GAP;
    at.width = Math.max(at.width, at.x - BLOCK_GAP);
    at.bottom = Math.max(at.bottom, at.y + block.height);
  }
  return { places, width: at.width, height: at.bottom };
}
