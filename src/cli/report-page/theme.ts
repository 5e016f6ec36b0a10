import { pageElement } from '../page-parts/element.ts';

const KEY = 'playbook-mcp-theme';

/** Colours as the system has them, unless the reader chose others; the choice is kept where the browser allows it. */
export function createTheme(): void {
  const choice = pageElement('theme', HTMLSelectElement);
  choice.value = stored();
  const apply = (): void => {
    if (choice.value === '') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = choice.value;
  };
  choice.addEventListener('change', () => {
    apply();
    store(choice.value);
  });
  apply();
}

function stored(): string {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : '';
  } catch (error) {
    // Forbidden, as cookies are; the choice then lasts as long as the page.
    if (error instanceof DOMException) return '';
    throw error;
  }
}

function store(value: string): void {
  try {
    localStorage.setItem(KEY, value);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
