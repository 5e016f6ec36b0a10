import { existsSync } from 'node:fs';

/** The browser that the tests of pages run in; undefined where there is none, which is said. */
export const CHROMIUM: string | undefined = [
  process.env['PLAYBOOK_MCP_CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
].find((path) => path !== undefined && existsSync(path));

if (CHROMIUM === undefined) {
  console.warn('SKIPPED: no chromium at /usr/bin/chromium; PLAYBOOK_MCP_CHROMIUM names another one.');
}

/** chromium refuses its sandbox to root, which is who runs tests in a container. */
export const CHROMIUM_ARGS: string[] = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
