const SVG = 'http://www.w3.org/2000/svg';

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
type Child = Node | string;

/** A new HTML element; `true` is an empty attribute, `false` and undefined none. Children that are strings become text. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  children: readonly Child[] = [],
): HTMLElementTagNameMap[Tag] {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svgElement<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  children: readonly Child[] = [],
): SVGElementTagNameMap[Tag] {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled<Made extends Element>(made: Made, attributes: Attributes, children: readonly Child[]): Made {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children);
  return made;
}

/** The page's own element of an id. @throws Error where the page has none of that type, which is a bug. */
export function pageElement<Made extends Element>(id: string, type: new () => Made): Made {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  const drawn: unknown = document.querySelector(`#${id}`);
  if (drawn instanceof type) return drawn;
  throw new Error(`The page has no #${id}.`);
}

/** A button that does something. */
export function button(text: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, [text]);
  made.addEventListener('click', onClick);
  return made;
}
