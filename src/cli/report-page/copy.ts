import { button } from '../page-parts/element.ts';

const SAID_MS = 2000;
const YES_OR_NO = [(): boolean => true, (): boolean => false] as const;

/** A button that copies a text. Where the browser forbids that, `shown` is selected, for the person to copy. */
export function copyButton(label: string, text: string, shown: HTMLElement): HTMLButtonElement {
  const made = button(label, () => void copy(), { class: 'copy' });
  const copy = async (): Promise<void> => {
    // Without a secure context there is no clipboard at all.
    const isCopied = isSecureContext && (await navigator.clipboard.writeText(text).then(...YES_OR_NO));
    if (!isCopied) getSelection()?.selectAllChildren(shown);
    made.textContent = isCopied ? 'Copied' : 'Selected';
    setTimeout(() => {
      made.textContent = label;
    }, SAID_MS);
  };
  return made;
}
