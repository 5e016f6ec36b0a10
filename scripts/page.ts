import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

/**
 * Builds a page of the command line: one file without its data, with its script and style in it, and a policy that lets nothing else
 * run or load.
 * @param source folder of `main.ts`, `page.css` and `page.html`
 */
export async function buildPage(source: string, outfile: string): Promise<void> {
  const script = await bundled(`${source}/main.ts`);
  const style = await bundled(`${source}/page.css`);
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const parts = {
    '<!--head-->': `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<!--style-->': `<style>${style}</style>`,
    '<!--script-->': `<script>${script}</script>`,
  };
  let page = readFileSync(`${source}/page.html`, 'utf8');
  for (const [mark, part] of Object.entries(parts)) page = page.replace(mark, () => part);
  writeFileSync(outfile, page);
}

async function bundled(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: ['es2022'],
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  });
  const text = outputFiles[0]?.text.trim() ?? '';
  // esbuild writes `<\/script` and `<\/style`; were one left, the page would end there.
  if (text === '' || /<\/(?:script|style)/i.test(text)) throw new Error(`${entry} cannot be put into a page.`);
  return text;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
