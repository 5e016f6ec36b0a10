import { existsSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

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

/** A page that is one file, opened in a browser. */
export interface WatchedPage {
  readonly page: Page;
  /** What must stay empty: messages of the console, errors, and requests to anywhere but the file. */
  readonly complaints: readonly string[];
}

/** Opens a file's address. @param ready selector of what is there when the page has drawn itself */
export async function watchPage(
  browser: Browser,
  { address, ready, ...options }: BrowserContextOptions & { readonly address: string; readonly ready: string },
): Promise<WatchedPage> {
  const complaints: string[] = [];
  const page = await browser.newPage(options);
  page.setDefaultTimeout(20_000);
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) complaints.push(request.url());
  });
  await page.goto(address);
  await page.waitForSelector(ready);
  return { page, complaints };
}
