import { svgElement } from '../page-parts/element.ts';
import { BOX_HEIGHT, type Layout, layOut } from './layout.ts';
import { markText } from './marks.ts';
import type { View, ViewEdge, ViewNode } from './view.ts';

/** A view with its places, as SVG. */
export interface Picture {
  readonly layout: Layout;
  readonly boxes: ReadonlyMap<string, SVGGElement>;
  readonly lines: readonly { readonly edge: ViewEdge; readonly path: SVGPathElement }[];
}

const LONGEST_LABEL = 38;
const PADDING = 10;

/** Lays a view out and draws it. */
export function drawView(view: View): Picture {
  const measure = createMeasure();
  const widths = new Map(view.nodes.map((node) => [node.key, measure(labelOf(node)) + 2 * PADDING]));
  const layout = layOut(
    view.nodes.map(({ key }) => ({ key, width: widths.get(key) ?? 0 })),
    view.edges,
  );
  const boxes = view.nodes.map((node) => {
    const { x, y } = layout.places.get(node.key) ?? { x: 0, y: 0 };
    const box = drawBox(node, widths.get(node.key) ?? 0);
    box.setAttribute('transform', `translate(${x},${y})`);
    return [node.key, box] as const;
  });
  const lines = view.edges.map((edge) => ({ edge, path: drawLine(edge, layout, widths) }));
  return { layout, boxes: new Map(boxes), lines };
}

/** The head of every line, to be referred to. */
export function arrowHead(): SVGDefsElement {
  const head = svgElement('path', { d: 'M0,0 L8,4 L0,8 z' });
  const marker = {
    markerUnits: 'userSpaceOnUse',
    id: 'arrow',
    viewBox: '0 0 8 8',
    refX: 8,
    refY: 4,
    markerWidth: 9,
    markerHeight: 9,
    orient: 'auto',
  };
  return svgElement('defs', {}, [svgElement('marker', marker, [head])]);
}

function drawBox(node: ViewNode, width: number): SVGGElement {
  const { key, kind, label, marks } = node;
  const round = kind === 'tool' ? BOX_HEIGHT / 2 : 5;
  const said = [label, kind === 'file' ? 'supporting file' : kind === 'group' ? 'folder' : kind, ...marks].join(', ');
  const box = svgElement(
    'g',
    { class: ['node', kind, ...marks].join(' '), tabindex: -1, role: 'button', 'aria-label': said, 'data-key': key },
    [
      svgElement('title', {}, [said]),
      ...(kind === 'group'
        ? [svgElement('rect', { class: 'behind', x: 4, y: -4, width, height: BOX_HEIGHT, rx: round })]
        : []),
      svgElement('rect', { width, height: BOX_HEIGHT, rx: round }),
      svgElement('text', { x: PADDING, y: BOX_HEIGHT / 2, dy: '.35em' }, [labelOf(node)]),
    ],
  );
  return box;
}

function drawLine(edge: ViewEdge, { places }: Layout, widths: ReadonlyMap<string, number>): SVGPathElement {
  const from = places.get(edge.from) ?? { x: 0, y: 0 };
  const to = places.get(edge.to) ?? { x: 0, y: 0 };
  const x1 = from.x + (widths.get(edge.from) ?? 0);
  const y1 = from.y + BOX_HEIGHT / 2;
  const y2 = to.y + BOX_HEIGHT / 2;
  // What leads back or stays in its column leaves and arrives in a bow.
  const bend = to.x > x1 ? (to.x - x1) / 2 : 60;
  return svgElement('path', {
    class: ['line', edge.isInCycle ? 'cycle' : '', edge.count > 1 ? 'bundle' : ''].join(' ').trim(),
    d: `M${x1},${y1} C${x1 + bend},${y1} ${to.x - bend},${y2} ${to.x},${y2}`,
    'stroke-width': Math.min(3, 1 + Math.log2(edge.count) / 3),
    'marker-end': 'url(#arrow)',
  });
}

/** The end of an id tells siblings apart. */
function labelOf({ label, marks }: ViewNode): string {
  const signs = marks
    .filter((mark) => mark === 'cycle' || mark === 'dangling')
    .map((mark) => markText(mark).slice(0, 1));
  const shown = label.length <= LONGEST_LABEL ? label : `…${label.slice(1 - LONGEST_LABEL)}`;
  return [shown, ...signs].join(' ');
}

function createMeasure(): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return (text) => text.length * 7;
  context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  return (text) => Math.ceil(context.measureText(text).width);
}
