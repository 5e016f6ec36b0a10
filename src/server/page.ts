import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageInfo } from './package-root.ts';

/** The pages that the build makes, without their data. */
type PageName = 'graph' | 'report';

/** Where in a built page its data goes; a comment, so that the template is a valid page. */
const DATA_MARK = '<!--data-->';

/** A page as the build left it. */
export function pageTemplate(name: PageName): string {
  return readFileSync(join(packageInfo().root, 'dist', `${name}-page.html`), 'utf8');
}

/** The template with its data in it, as a block of JSON. */
export function fillPage(template: string, data: object): string {
  const at = template.indexOf(DATA_MARK);
  if (at === -1) throw new Error('The page has no place for its data.');
  return template.slice(0, at) + toDataBlock(data) + template.slice(at + DATA_MARK.length);
}

/** Without `<` no text of a playbook or a query can end the block or begin a comment. */
function toDataBlock(data: object): string {
  return `<script type="application/json" id="data">${JSON.stringify(data).replaceAll('<', String.raw`\u003c`)}</script>`;
}
