import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { toPage } from '../../../src/cli/graph/page-file.ts';
import { text } from '../../seed.ts';
import { CHROMIUM, CHROMIUM_ARGS, type WatchedPage, watchPage } from '../chromium.ts';
import { bodiesOf, reportOf, SMALL } from './seed.ts';

const folder = mkdtempSync(join(tmpdir(), 'playbook-mcp-page-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes the page of seeds and gives its address. */
function pageOf(name: string, files: Readonly<Record<string, string>>, of?: string): string {
  const bodies = bodiesOf(files);
  const file = join(folder, `${name}.html`);
  writeFileSync(file, toPage(reportOf(files), { title: name, bodyOf: (id) => bodies.get(id) ?? '', of }));
  return pathToFileURL(file).href;
}

const HOSTILE_BODY = [
  '<script>window.pwned = 1</script>',
  '<img src=x onerror="window.pwned = 2">',
  '</script><script>window.pwned = 3</script>',
  '[link](javascript:window.pwned=4) <javascript:window.pwned=5> [data](data:text/html,<script>1</script>)',
  '![pixel](https://example.com/pixel.png "x") <iframe src="https://example.com/"></iframe>',
  '<style>body { display: none }</style><svg onload="window.pwned = 6"></svg><form action="https://example.com/"></form>',
  '| a |\n|:-:|\n| <b onclick="window.pwned=7">x</b> |',
  '[[safe"onmouseover="window.pwned=8]] `<script>` playbook://nowhere <a href="https://example.com">raw</a>',
  '[good](https://example.com/page) and [[a]]',
  // From here on the catalog sees a comment, and no links.
  '<!-- <script>',
].join('\n\n');

const HOSTILE = {
  ...SMALL,
  'hostile.md': `---\nname: "<img src=x onerror=window.pwned=9>"\ndescription: "</script><script>window.pwned=10</script>"\ntags: ["<b>tag</b>", "domain:evil"]\n---\n${HOSTILE_BODY}\n`,
};

describe.skipIf(CHROMIUM === undefined)('the page in a browser', () => {
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

  async function openPage(address: string, { width = 1300 }: { width?: number } = {}): Promise<void> {
    const viewport = { width, height: 800 };
    ({ page, complaints } = await watchPage(browser, { address, ready: 'g.node', viewport }));
  }

  const box = (id: string): ReturnType<Page['locator']> => page.locator(`g.node[data-key="${id}"]`);
  const listed = async (): Promise<string[]> => page.locator('#list .id').allTextContents();

  it('draws every playbook and tool, loaded from a file', async () => {
    await openPage(pageOf('small', SMALL));
    expect(await page.title()).toBe('small');
    expect(await page.locator('g.node.playbook').count()).toBe(9);
    expect(await page.locator('g.node.tool').count()).toBe(2);
    expect(await page.locator('g.node.cycle').count()).toBe(3);
    expect(await page.locator('g.node.orphan').count()).toBe(1);
    expect(await page.locator('path.line').count()).toBe(9);
  });

  it('narrows list and graph by a search, also a mistyped one, and by tag, state and kind', async () => {
    await openPage(pageOf('filters', HOSTILE));
    await page.fill('#query', 'comands');
    await expect.poll(listed).toEqual(['commands']);
    expect(await page.locator('g.node').count()).toBe(1);
    await page.click('text=Clear');
    await page.selectOption('#tag', 'domain:code');
    await expect.poll(listed).toEqual(['github__create_issue']);
    await page.selectOption('#tag', '');
    await page.selectOption('#mark', 'cycle');
    await expect.poll(listed).toEqual(['a', 'b', 'c']);
    await page.selectOption('#mark', '');
    await page.uncheck('#kinds input[value=playbook]');
    await expect.poll(listed).toEqual(['github__create_issue', 'no__such_tool']);
    await page.fill('#query', 'zzzzzz');
    await page.waitForSelector('#empty:not([hidden])');
  });

  it('opens a playbook by a click, shows its text, size and neighbours, and follows its links', async () => {
    await openPage(pageOf('reading', SMALL));
    await box('release').click();
    await page.waitForSelector('#panel h2');
    const panel = await page.locator('#panel').innerText();
    for (const part of ['Release.', 'Tokens alone', 'Refers to (2)', 'Dangling references (1)']) {
      expect(panel).toContain(part);
    }
    expect(page.url()).toMatch(/#release$/);
    expect(await box('release').getAttribute('class')).toContain('selected');
    await page.click('#panel .body a >> text=tests');
    await expect.poll(async () => page.locator('#panel h2').innerText()).toBe('tests');
    await page.goBack();
    await expect.poll(async () => page.locator('#panel h2').innerText()).toBe('release');
  });

  it('is usable by the keyboard alone: list, graph, zoom, close', async () => {
    await openPage(pageOf('keys', SMALL));
    await page.locator('#list [tabindex="0"]').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#panel h2');
    expect(await page.locator('#panel h2').innerText()).toBe('b');
    expect(await page.evaluate('document.activeElement?.id')).toBe('panel-title');
    await page.keyboard.press('Escape');
    expect(await page.locator('#panel').isHidden()).toBe(true);
    expect(await page.evaluate("document.activeElement?.getAttribute('value')")).toBe('b');

    await box('release').focus();
    await page.keyboard.press('ArrowRight');
    const key = String(await page.evaluate("document.activeElement?.getAttribute('data-key')"));
    expect(['tests', 'notes']).toContain(key);
    await page.keyboard.press('Enter');
    await expect.poll(async () => page.locator('#panel h2').innerText()).toBe(key);
    await page.keyboard.press('Escape');
    const transform = async (): Promise<string | null> => page.locator('#graph > g').getAttribute('transform');
    const before = await transform();
    await page.keyboard.press('+');
    expect(await transform()).not.toBe(before);
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement?.id')).toBe('query');
  });

  it('opens what its address names, and begins with what was asked for', async () => {
    const address = pageOf('deep', SMALL);
    await openPage(`${address}#tests`);
    expect(await page.locator('#panel h2').innerText()).toBe('tests');
    await page.close();
    await openPage(pageOf('of', SMALL, 'fix'));
    await expect.poll(async () => page.locator('#panel h2').innerText()).toBe('fix');
  });

  it('runs and loads nothing that a playbook brings', async () => {
    await openPage(`${pageOf('hostile', HOSTILE)}#hostile`);
    const body = page.locator('#panel .body');
    await body.waitFor();
    await body.locator('text=window.pwned = 1').first().waitFor();
    for (const link of await body.locator('a').all()) {
      expect(await link.getAttribute('href')).toMatch(/^(https:\/\/example\.com\/page|#a)$/);
    }
    expect(await body.locator('a').count()).toBe(2);
    expect(await page.locator('img, iframe, #panel script, #panel style, #panel form, #panel svg').count()).toBe(0);
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(await page.locator('#panel h2').innerText()).toBe('<img src=x onerror=window.pwned=9>');
  });

  it('shows folders rather than a ball of wool for 3,000 playbooks, and finds one of them', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 3000 }, (_, i) => [
        `area-${i % 20}/team-${i % 7}/task-${i}.md`,
        text(`Task ${i}.`, `[[task-${(i * 7 + 1) % 3000}]] [[task-${(i * 13 + 5) % 3000}]]`),
      ]),
    );
    await openPage(pageOf('large', files));
    expect(await page.locator('g.node.group').count()).toBe(20);
    await page.locator('g.node.group').first().click();
    await expect.poll(async () => page.locator('g.node.playbook').count()).toBe(150);
    await page.fill('#query', 'task-1234');
    await expect.poll(async () => (await listed())[0]).toBe('area-14/team-2/task-1234');
    await page.locator('#list button').first().click();
    await page.click('text=Show what is around it');
    await expect.poll(async () => page.locator('#trail').innerText()).toContain('around area-14');
    expect(await page.locator('g.node').count()).toBeLessThanOrEqual(250);
  });

  it('has no part that sticks out on a narrow screen, where list and graph take turns', async () => {
    await openPage(pageOf('narrow', SMALL), { width: 390 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.click('#show-list');
    await page.click('#list button[value=tests]');
    await expect.poll(async () => page.locator('#panel h2').innerText()).toBe('tests');
    await page.click('.close');
    expect(await page.locator('#list').isVisible()).toBe(true);
  });
});

describe('the page as a file', () => {
  it('holds everything itself, and a policy that lets nothing else run or load', () => {
    pageOf('policy', HOSTILE);
    const page = readFileSync(join(folder, 'policy.html'), 'utf8');
    expect(page).toMatch(
      /Content-Security-Policy" content="default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-/,
    );
    expect(page).not.toMatch(/<(?:link|img|iframe)\b|<script[^>]+\bsrc=|@import/);
    expect(page.match(/<\/script>/g)).toHaveLength(2);
    expect(page).not.toContain('/central/hostile.md');
  });
});
