import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readerOf } from '../../../bench/simulate/reader.ts';
import { defaultConfig } from '../../../src/config/defaults.ts';
import { fillPage, pageTemplate } from '../../../src/server/page.ts';
import type { UsageEvent } from '../../../src/usage/event.ts';
import { viewUsage } from '../../../src/server/usage-view.ts';
import { reportOf } from '../../../src/usage/report/report-of.ts';
import { UsageCounter } from '../../../src/usage/report/usage-counter.ts';
import { CHROMIUM, CHROMIUM_ARGS, type WatchedPage, watchPage } from '../chromium.ts';
import { CATALOG, DAY_MS, eventsOf, HOSTILE, NOW, SEEN } from './seed.ts';

const folder = mkdtempSync(join(tmpdir(), 'playbook-mcp-report-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function pageText(events: readonly UsageEvent[], since?: number): Promise<string> {
  const counter = new UsageCounter(since);
  const view = await viewUsage(Promise.resolve({ catalog: CATALOG, workspace: undefined }), readerOf(events, SEEN), {
    observer: counter,
  });
  const data = reportOf({
    ...view,
    title: 'Usage of the shop',
    counter,
    thresholds: defaultConfig.review,
    madeAt: NOW,
  });
  return fillPage(pageTemplate('report'), data);
}

async function pageOf(name: string, events: readonly UsageEvent[] = eventsOf(), since?: number): Promise<string> {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, await pageText(events, since));
  return pathToFileURL(file).href;
}

describe.skipIf(CHROMIUM === undefined)('the page of the usage in a browser', () => {
  let browser: Browser;
  let page: Page;
  let complaints: WatchedPage['complaints'];

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: CHROMIUM_ARGS });
  });
  afterAll(async () => browser.close());
  afterEach(async () => {
    await page.close();
    if (complaints.length > 0) throw new Error(complaints.join('\n'));
  });

  async function openPage(address: string, options: BrowserContextOptions = {}): Promise<void> {
    const viewport = { width: 1200, height: 900 };
    ({ page, complaints } = await watchPage(browser, { address, ready: '#table tbody tr', viewport, ...options }));
  }

  const inner = async (selector: string): Promise<string> => page.locator(selector).innerText();
  const rows = async (): Promise<string[]> => page.locator('#table tbody th').allInnerTexts();
  const heights = async (selector: string): Promise<number[]> =>
    page.locator(selector).evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute('height'))));

  it('draws every chart with the figures of the events', async () => {
    await openPage(await pageOf('figures'));
    // 200 + 100 + 40 + 29 + 20 of the catalog, and 10 of what is gone.
    expect(await inner('#use-title')).toBe('399 uses in 200 days');
    expect(await inner('#numbers')).toMatch(/Entries used\s+5\s+of 6\s+Uses that failed\s+5 %\s+20 of 399/);
    const uses = await heights('.time .uses .whole');
    expect(uses).toHaveLength(29);
    expect(uses.every((height) => height > 0)).toBe(true);
    expect((await heights('.time .uses .part')).some((height) => height > 0)).toBe(true);
    expect((await heights('.time .searches .whole')).every((height) => height > 0)).toBe(true);
    expect(await page.locator('#most .share .whole').first().getAttribute('width')).toBe('100%');
    expect(await inner('#most')).toContain('central:deploy/roll-back');
    expect(await inner('#least')).toContain('1 of 6 entries was not used');
    expect(await inner('#funnel-title')).toBe('88 % of the sessions that search use something');
    expect(await inner('#by-source')).toMatch(/central\s+350/);
    expect(await inner('#by-tag')).toMatch(/domain:deploy\s+300/);
    expect(await page.locator('#table .trend polyline').first().getAttribute('points')).toMatch(/^0\.0,[\d.]+ /);
    expect(await inner('#missing')).toContain('rotate the signing key');
    expect(await inner('#proposals')).toContain('playbook-mcp retire data/forgotten');
  });

  it('changes charts, numbers and table with each filter, and clears them', async () => {
    await openPage(await pageOf('filters'));
    await page.selectOption('#range', '28');
    await expect.poll(async () => inner('#use-title')).toBe('53 uses in 4 weeks');
    expect(await page.locator('.time .uses .bar').count()).toBe(28);
    await page.selectOption('#source', 'team');
    await expect.poll(rows).toEqual(['team:review']);
    expect(await inner('#use-title')).toBe('4 uses in 4 weeks');
    expect(await page.locator('.time .searches .label').textContent()).toContain('listed');
    await page.click('#filters [type=reset]');
    await expect.poll(async () => inner('#use-title')).toBe('399 uses in 200 days');
    await page.selectOption('#kind', 'tool');
    await expect.poll(rows).toEqual(['github__create_issue']);
    await page.selectOption('#kind', '');
    await page.selectOption('#tag', 'domain:data');
    await expect.poll(async () => (await rows()).length).toBe(2);
    expect(await inner('#proposals-title')).toMatch(/^\d of \d+ proposals$/);
    await page.selectOption('#tag', '');
    await page.selectOption('#client', { label: 'claude-code' });
    await expect.poll(async () => inner('#use-title')).toBe('260 uses in 200 days');
    await page.selectOption('#client', '');
    await page.click('#by-source button >> text=team');
    await expect.poll(async () => page.locator('#source').inputValue()).toBe('team');
  });

  it('sorts by any column both ways, says so, and searches', async () => {
    await openPage(await pageOf('table'));
    const sortOf = async (column: string): Promise<string | null> =>
      page.locator(`#table th[data-column=${column}]`).getAttribute('aria-sort');
    expect(await sortOf('uses')).toBe('descending');
    expect((await rows())[0]).toBe('central:deploy/roll-back');
    await page.locator('#table th[data-column=entry] button').focus();
    await page.keyboard.press('Enter');
    expect(await sortOf('entry')).toBe('ascending');
    expect(await sortOf('uses')).toBeNull();
    const ascending = await rows();
    expect(ascending).toEqual([...ascending].sort());
    await page.keyboard.press('Enter');
    expect(await rows()).toEqual(ascending.toReversed());
    for (const column of await page.locator('#table th[data-column] button').all()) await column.click();
    await page.fill('#query', 'platform deploy');
    await expect.poll(rows).toEqual(['central:deploy/roll-back']);
    await page.fill('#query', 'nothing like it');
    await expect.poll(async () => inner('#entries-count')).toBe('No entry fits.');
  });

  it('reads bars by arrow keys and as a table', async () => {
    await openPage(await pageOf('keys'));
    await page.locator('svg.time').focus();
    await page.keyboard.press('End');
    expect(await inner('.readout')).toMatch(/^17 Jul 2026 to 23 Jul 2026: \d+ uses, of which \d+ failed; \d+ searches/);
    await page.keyboard.press('ArrowLeft');
    expect(await inner('.readout')).toMatch(/^10 Jul 2026/);
    await page.click('#over-time summary');
    expect(await page.locator('#over-time tbody tr').count()).toBe(29);
  });

  it('copies a command', async () => {
    await openPage(await pageOf('copy'), { permissions: ['clipboard-read', 'clipboard-write'] });
    const copy = page.locator('[aria-label="Copy the command for central:data/forgotten"]');
    await copy.click();
    await expect.poll(async () => copy.innerText()).toMatch(/Copied|Selected/);
  });

  it('runs nothing that an entry, a tag or a query brings', async () => {
    await openPage(await pageOf('hostile', eventsOf({ missing: HOSTILE })));
    expect(await rows()).toContainEqual(expect.stringContaining(`central:${HOSTILE}`));
    expect(await inner('#missing')).toContain(HOSTILE);
    expect(await page.locator('img, iframe').count()).toBe(0);
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    const source = await pageText(eventsOf({ missing: HOSTILE }));
    expect(source.match(/<\/script>/g)).toHaveLength(2);
    expect(source).toMatch(/"default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-/);
    expect(source).not.toContain('/central/deploy');
  });

  it('has no part that sticks out at 360 pixels, before and after filtering', async () => {
    await openPage(await pageOf('narrow', eventsOf({ missing: HOSTILE })), { viewport: { width: 360, height: 700 } });
    const width = async (): Promise<unknown> => page.evaluate('document.documentElement.scrollWidth');
    expect(await width()).toBeLessThanOrEqual(360);
    await page.selectOption('#source', 'central');
    expect(await width()).toBeLessThanOrEqual(360);
  });

  it('takes the colours of the system, or those that are chosen', async () => {
    await openPage(await pageOf('dark'), { colorScheme: 'dark' });
    const back = async (): Promise<unknown> => page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(await back()).toBe('rgb(26, 31, 41)');
    await page.selectOption('#theme', 'light');
    expect(await back()).toBe('rgb(255, 255, 255)');
    // The browser writes what a page stores down a moment later than it says.
    const backThen = async (): Promise<unknown> => page.reload().then(back);
    await expect.poll(backThen, { timeout: 10_000 }).toBe('rgb(255, 255, 255)');
  });

  it('says what to do where nothing was recorded', async () => {
    await openPage(await pageOf('empty', []));
    expect(await inner('main')).toContain('Nothing was recorded yet');
    expect(await page.locator('#use').isVisible()).toBe(false);
    expect(await rows()).toHaveLength(6);
  });
});

describe('the data of the page', () => {
  it('counts from a moment on, and still proposes from everything', async () => {
    const since = NOW - 28 * DAY_MS;
    const all = await pageText(eventsOf());
    const late = await pageText(eventsOf(), since);
    const read = (page: string): { totals: { events: number }; proposals: unknown } =>
      JSON.parse(/id="data">(.*?)<\/script>/s.exec(page)?.[1] ?? '');
    expect(read(late).totals.events).toBeLessThan(read(all).totals.events / 5);
    expect(read(late).proposals).toEqual(read(all).proposals);
  });
});
