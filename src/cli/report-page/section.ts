import { element, pageElement } from '../page-parts/element.ts';

/** A section with a heading that says what is to be seen. */
export function fillSection(id: string, title: string, content: readonly (Node | string)[]): void {
  pageElement(id, HTMLElement).replaceChildren(element('h3', { id: `${id}-title` }, [title]), ...content);
}

/** Said in place of a figure that has nothing to show. */
export function emptyNote(text: string): HTMLElement {
  return element('p', { class: 'empty' }, [text]);
}
