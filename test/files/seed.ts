import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A file's text or bytes, or a link to a path relative to the link's own folder (or absolute). */
export type Seed = Readonly<Record<string, string | Uint8Array | { readonly link: string }>>;

/** Writes the files to a new folder, which is gone when the test ends; a path that ends with `/` is an empty folder. */
export function plant(seed: Seed): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'playbook-mcp-files-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  add(root, seed);
  return root;
}

/** Writes more files below a folder. */
function add(root: string, seed: Seed): void {
  for (const [path, content] of Object.entries(seed)) {
    const absolute = join(root, path);
    mkdirSync(path.endsWith('/') ? absolute : dirname(absolute), { recursive: true });
    if (path.endsWith('/')) continue;
    if (typeof content === 'object' && 'link' in content) symlinkSync(content.link, absolute);
    else writeFileSync(absolute, content);
  }
}

/** The text of the smallest playbook. */
export function playbook(name: string): string {
  return `---\nname: ${name}\ndescription: About ${name}.\n---\nDo it.\n`;
}
