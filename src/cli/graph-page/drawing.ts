import { select } from 'd3-selection';
import { zoom, zoomIdentity, type ZoomTransform } from 'd3-zoom';
import { pageElement, svgElement } from '../page-parts/element.ts';
import { BOX_HEIGHT } from './layout.ts';
import { nearestIn, type Step } from './steps.ts';
import { arrowHead, drawView, type Picture } from './picture.ts';
import type { View } from './view.ts';

export interface Drawing {
  readonly show: (view: View) => void;
  /** Highlights a box with its lines; undefined for none. */
  readonly select: (key: string | undefined) => void;
  readonly has: (key: string) => boolean;
  /** After the room for it has changed. */
  readonly adjust: () => void;
}

const MARGIN = 28;
const LEAST_SCALE = 0.08;
const MOST_SCALE = 3;
/** What begins smaller could not be read: then the left side is shown, where a reader begins, or what is selected. */
const READABLE_SCALE = 0.7;
/** Fitting enlarges no more than this: three boxes need not fill a screen. */
const FITTED_SCALE = 1.1;
const ZOOM_STEP = 1.3;
const PAN_STEP_PX = 80;
const STEPS: Readonly<Record<string, Step>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Draws views into the page's SVG, which is moved and zoomed by mouse, touch, buttons and keys. */
export function createDrawing(open: (key: string) => void): Drawing {
  const svg = pageElement('graph', SVGSVGElement);
  const stage = svgElement('g');
  svg.append(arrowHead(), stage);
  const camera = createCamera(svg, stage);
  let picture: Picture = drawView({ nodes: [], edges: [], leftOut: 0 });
  let selected: string | undefined;

  const tabTo = (key: string | undefined): void => {
    for (const box of picture.boxes.values()) box.tabIndex = -1;
    const box = picture.boxes.get(key ?? '') ?? [...picture.boxes.values()][0];
    if (box !== undefined) box.tabIndex = 0;
  };
  const highlight = (): void => {
    const isShown = selected !== undefined && picture.boxes.has(selected);
    const near = new Set([selected]);
    for (const { edge, path } of picture.lines) {
      const isNear = edge.from === selected || edge.to === selected;
      path.classList.toggle('near', isNear);
      if (isNear) near.add(edge.from).add(edge.to);
    }
    for (const [key, box] of picture.boxes) {
      box.classList.toggle('selected', key === selected);
      box.classList.toggle('near', near.has(key));
    }
    stage.classList.toggle('has-selected', isShown);
  };
  const reveal = (): void => {
    const place = picture.layout.places.get(selected ?? '');
    if (place !== undefined) camera.reveal({ x: place.x + 60, y: place.y + BOX_HEIGHT / 2 });
  };
  // Where a person has moved to stays, but for a picture that had no room until now.
  let isFramed = false;
  const frame = (): void => {
    isFramed = camera.start();
    reveal();
  };
  const goTo = (key: string): void => {
    const place = picture.layout.places.get(key);
    if (place === undefined) return;
    tabTo(key);
    picture.boxes.get(key)?.focus({ preventScroll: true });
    camera.reveal({ x: place.x + 60, y: place.y + BOX_HEIGHT / 2 });
  };

  svg.addEventListener('click', ({ target }) => {
    const key = keyOf(target);
    if (key !== undefined) open(key);
  });
  svg.addEventListener('keydown', (event) => {
    const key = keyOf(event.target);
    const step = STEPS[event.key];
    if (key === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (step !== undefined && event.shiftKey) camera.pan(step);
    else if (step !== undefined) goTo(nearestIn(picture.layout.places, { from: key, step }) ?? key);
    else if (event.key === 'Enter' || event.key === ' ') open(key);
    else return;
    event.preventDefault();
  });
  return {
    show: (view) => {
      picture = drawView(view);
      stage.replaceChildren(...picture.lines.map(({ path }) => path), ...picture.boxes.values());
      tabTo(selected);
      highlight();
      camera.setExtent(picture.layout);
      frame();
    },
    select: (key) => {
      selected = key;
      if (key !== undefined) tabTo(key);
      highlight();
    },
    has: (key) => picture.boxes.has(key),
    adjust: () => (isFramed ? reveal() : frame()),
  };
}

function keyOf(target: EventTarget | null): string | undefined {
  const box = target instanceof Element ? target.closest<SVGGElement>('g.node') : null;
  return box?.dataset['key'];
}

interface Camera {
  readonly setExtent: (extent: { readonly width: number; readonly height: number }) => void;
  /** Everything where it can be read, else its beginning. @returns false where there is no room for it yet. */
  readonly start: () => boolean;
  readonly pan: (step: Step) => void;
  /** Moves a point of the picture into sight. */
  readonly reveal: (point: { readonly x: number; readonly y: number }) => void;
}

function createCamera(svg: SVGSVGElement, stage: SVGGElement): Camera {
  const canvas = select(svg);
  const behaviour = zoom<SVGSVGElement, unknown>().scaleExtent([LEAST_SCALE, MOST_SCALE]);
  let transform: ZoomTransform = zoomIdentity;
  let extent = { width: 0, height: 0 };
  behaviour.on('zoom', (event: { readonly transform: ZoomTransform }) => {
    transform = event.transform;
    stage.setAttribute('transform', transform.toString());
  });
  canvas.call(behaviour).on('dblclick.zoom', null);
  const showAt = (least: number): boolean => {
    const { width, height } = svg.getBoundingClientRect();
    if (width === 0 || extent.width === 0) return false;
    const room = Math.min((width - 2 * MARGIN) / extent.width, (height - 2 * MARGIN) / extent.height);
    const scale = Math.max(least, Math.min(room, FITTED_SCALE));
    const x = Math.max(MARGIN, (width - extent.width * scale) / 2);
    const y = Math.max(2 * MARGIN, (height - extent.height * scale) / 2);
    behaviour.transform(canvas, zoomIdentity.translate(x, y).scale(scale));
    return true;
  };
  const fit = (): void => void showAt(LEAST_SCALE);
  const scaleBy = (ratio: number): void => behaviour.scaleBy(canvas, ratio);
  const move = (x: number, y: number): void => behaviour.translateBy(canvas, x / transform.k, y / transform.k);
  pageElement('zoom-in', HTMLButtonElement).addEventListener('click', () => scaleBy(ZOOM_STEP));
  pageElement('zoom-out', HTMLButtonElement).addEventListener('click', () => scaleBy(1 / ZOOM_STEP));
  pageElement('zoom-fit', HTMLButtonElement).addEventListener('click', fit);
  svg.addEventListener('keydown', ({ key }) => {
    if (key === '+' || key === '=') scaleBy(ZOOM_STEP);
    if (key === '-') scaleBy(1 / ZOOM_STEP);
    if (key === '0') fit();
  });
  return {
    start: () => showAt(READABLE_SCALE),
    setExtent: (next) => {
      extent = next;
    },
    pan: ({ x, y }) => move(-x * PAN_STEP_PX, -y * PAN_STEP_PX),
    reveal: (point) => {
      const { width, height } = svg.getBoundingClientRect();
      const [x, y] = transform.apply([point.x, point.y]);
      if (x < MARGIN || y < MARGIN || x > width - 2 * MARGIN || y > height - MARGIN)
        move(width / 2 - x, height / 2 - y);
    },
  };
}
