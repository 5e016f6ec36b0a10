import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Playbook, SourceFile } from '../../src/model.ts';
import { parsePlaybook } from '../../src/playbooks/parse.ts';
import { setStatus, type Standing } from '../../src/playbooks/set-status.ts';
import { source } from '../seed.ts';

const deprecated: Standing = { status: 'deprecated', deprecation: { since: '2026-11-30', replacedBy: 'y' } };
const retired: Standing = { status: 'retired' };
const active: Standing = { status: 'active' };

function file(text: string | Uint8Array): SourceFile {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const place = { path: '/central/x.md', realPath: '/central/x.md', id: 'x', shape: 'file' } as const;
  return { source: source('central'), ...place, bytes, supportingFiles: [] };
}

function edited(text: string, standing: Standing): string {
  const outcome = setStatus(file(text), standing);
  if (outcome.kind === 'refused') throw new Error(outcome.reason);
  return outcome.kind === 'unchanged' ? text : new TextDecoder('utf-8', { ignoreBOM: true }).decode(outcome.bytes);
}

const NEW_LINES = 'status: deprecated\ndeprecated:\n  since: 2026-11-30\n  replacedBy: y\n';
const FLOW = '{since: 2026-11-30, replacedBy: y}';

describe('setStatus', () => {
  it.each([
    {
      name: 'puts both keys last',
      text: '---\ndescription: d\n# end\n---\nBody.',
      to: `---\ndescription: d\n${NEW_LINES}# end\n---\nBody.`,
    },
    {
      name: 'ends without a line end where the file does',
      text: '---\ndescription: d',
      to: `---\ndescription: d\n${NEW_LINES.trimEnd()}`,
    },
    {
      name: 'keeps Windows line ends and the byte order mark',
      text: '\uFEFF---\r\ndescription: d  \r\n---  \r\nBody.\r\nMore.\n',
      to: `\uFEFF---\r\ndescription: d  \r\n${NEW_LINES.replaceAll('\n', '\r\n')}---  \r\nBody.\r\nMore.\n`,
    },
    {
      name: 'keeps the line ends of old Macs',
      text: '---\rdescription: d\r---\rBody.',
      to: `---\rdescription: d\r${NEW_LINES.replaceAll('\n', '\r')}---\rBody.`,
    },
    {
      name: 'indents as its neighbours',
      text: '---\n  description: d\n---\n',
      to: `---\n  description: d\n${NEW_LINES.replaceAll(/^(?=.)/gm, '  ')}---\n`,
    },
    {
      name: 'writes into braces',
      text: '---\n{description: d, tags: [a]} # c\n---\n',
      to: `---\n{description: d, tags: [a], status: deprecated, deprecated: ${FLOW}} # c\n---\n`,
    },
    {
      name: 'writes into braces of several lines',
      text: '---\n{\n  description: d, # c\n  tags: [a], # e\n}\n---\n',
      to: `---\n{\n  description: d, # c\n  tags: [a], status: deprecated, deprecated: ${FLOW}, # e\n}\n---\n`,
    },
    {
      name: 'leaves a colon without quotes as it is',
      text: '---\ndescription: Use when: it\'s wet\nname: "x"\n---\n',
      to: `---\ndescription: Use when: it's wet\nname: "x"\n${NEW_LINES}---\n`,
    },
    {
      name: 'goes behind a colon without quotes',
      text: "---\nname: x\ndescription: Use when: it's\n  wet\n---\n",
      to: `---\nname: x\ndescription: Use when: it's\n  wet\n${NEW_LINES}---\n`,
    },
    {
      name: 'goes behind the blank lines of a kept block',
      text: '---\ndescription: |+\n  d\n\n\n---\n',
      to: `---\ndescription: |+\n  d\n\n\n${NEW_LINES}---\n`,
    },
    {
      name: 'goes behind a folded block',
      text: '---\ndescription: >-\n  d\n  e\n\n---\n',
      to: `---\ndescription: >-\n  d\n  e\n${NEW_LINES}\n---\n`,
    },
    {
      name: 'goes before the end of the document',
      text: '---\ndescription: d\n...\n---\n',
      to: `---\ndescription: d\n${NEW_LINES}...\n---\n`,
    },
    {
      name: 'goes behind a key without a value',
      text: '---\ndescription: d\ntags: # none\n---\n',
      to: `---\ndescription: d\ntags: # none\n${NEW_LINES}---\n`,
    },
    {
      name: 'goes behind a list',
      text: '---\ndescription: d\ntags:\n- a\n- b # c\n---\n',
      to: `---\ndescription: d\ntags:\n- a\n- b # c\n${NEW_LINES}---\n`,
    },
  ])('$name, and is taken out again without a trace', ({ text, to }) => {
    expect(edited(text, deprecated)).toBe(to);
    expect(edited(to, active)).toBe(text);
  });

  it.each([
    { name: 'a plain word, comment kept', from: 'status: active  # c', to: 'status: retired  # c' },
    { name: 'single quotes', from: "status: 'Active' # c", to: "status: 'retired' # c" },
    { name: 'double quotes', from: 'status:   "active"', to: 'status:   "retired"' },
    { name: 'nothing', from: 'status:   # c', to: 'status: retired   # c' },
    { name: 'a block', from: 'status: >-\n  active\n', to: 'status: retired\n' },
    { name: 'a tagged word', from: 'status: !!str active', to: 'status: !!str retired' },
    { name: 'a quoted key', from: '"status" : draft', to: '"status" : retired' },
    { name: 'an explicit key', from: '? status\n: active', to: '? status\n: retired' },
    { name: 'a word that is no status', from: 'status: old', to: 'status: retired' },
    { name: 'a list', from: 'status:\n  - active', to: 'status:\n  retired' },
  ])('changes the status in its place: $name', ({ from, to }) => {
    const around = (lines: string): string => `---\n${lines}\ndescription: d\n---\nstatus: active\n`;
    expect(edited(around(from), retired)).toBe(around(to));
  });

  it.each([
    { name: 'true', from: 'deprecated: true # c', to: `deprecated: ${FLOW} # c` },
    {
      name: 'a text',
      from: 'deprecated: "Use y"',
      to: 'deprecated: {since: 2026-11-30, reason: Use y, replacedBy: y}',
    },
    { name: 'nothing', from: 'deprecated:', to: `deprecated: ${FLOW}` },
    {
      name: 'braces',
      from: 'deprecated: {reason: r, by: me}',
      to: 'deprecated: {reason: r, by: me, since: 2026-11-30, replacedBy: y}',
    },
    { name: 'empty braces', from: 'deprecated: {}', to: `deprecated: ${FLOW}` },
    {
      name: 'a map with other keys and comments',
      from: 'deprecated:\n    # why\n    reason: "r"\n    replacedBy: z # not w\n    by: me',
      to: 'deprecated:\n    # why\n    reason: "r"\n    replacedBy: y # not w\n    by: me\n    since: 2026-11-30',
    },
  ])('adds to a deprecation in another form: $name', ({ from, to }) => {
    const around = (lines: string): string => `---\nstatus: deprecated\n${lines}\ndescription: d\n---\n`;
    const reason = /Use y/.test(from) ? 'Use y' : /reason/.test(from) ? 'r' : undefined;
    const deprecation = { since: '2026-11-30', ...(reason === undefined ? {} : { reason }), replacedBy: 'y' };
    expect(edited(around(from), { status: 'deprecated', deprecation })).toBe(around(to));
  });

  it.each([
    {
      name: 'from the first line',
      from: 'status: retired\ndeprecated: true\ndescription: d\n',
      to: 'description: d\n',
    },
    {
      name: 'around another key',
      from: 'status: retired\ndescription: d\ndeprecated:\n  # why\n  reason: r\n',
      to: 'description: d\n',
    },
    { name: 'from braces', from: '{status: retired, description: d, deprecated: {}}\n', to: '{description: d}\n' },
    {
      name: 'from the head of braces',
      from: '{status: retired, deprecated: {}, description: d}\n',
      to: '{description: d}\n',
    },
    {
      name: 'and keeps a comment',
      from: 'description: d\nstatus: retired # by us\n',
      to: 'description: d\nstatus: active # by us\n',
    },
  ])('takes the keys out $name', ({ from, to }) => {
    expect(edited(`---\n${from}---\n`, active)).toBe(`---\n${to}---\n`);
  });

  it('changes nothing where nothing is to be changed', () => {
    expect(setStatus(file('---\ndescription: d\n---\n'), active)).toEqual({ kind: 'unchanged' });
    expect(setStatus(file(`---\ndescription: d\n${NEW_LINES}---\n`), deprecated)).toEqual({ kind: 'unchanged' });
  });

  it.each([
    { name: 'that is none', text: '---\nname: x\n---\n', reason: 'cannot be read' },
    {
      name: 'whose deprecation others refer to',
      text: '---\ndescription: d\ndeprecated: &a {reason: r}\nmore: *a\n---\n',
      reason: 'without changing more',
    },
    {
      name: 'that would be too long',
      text: `---\ndescription: d\nmore: ${'x'.repeat(16_350)}\n---\n`,
      reason: 'could not be read any more',
    },
  ])('refuses a playbook $name', ({ text, reason }) => {
    const standing = text.includes('&a') ? active : deprecated;
    expect(setStatus(file(text), standing)).toEqual({ kind: 'refused', reason: expect.stringContaining(reason) });
  });

  it('gives any front matter back as it was', () => {
    const leaf = fc.oneof(fc.string(), fc.boolean(), fc.double({ noNaN: true }), fc.constant(null));
    const value = fc.oneof(leaf, fc.array(leaf), fc.dictionary(fc.string(), leaf));
    const key = fc.string({ minLength: 1 }).filter((name) => !['status', 'deprecated', '__proto__'].includes(name));
    const style = fc.record({
      indent: fc.constantFrom(2, 4),
      collectionStyle: fc.constantFrom('any', 'block', 'flow'),
      indentSeq: fc.boolean(),
      defaultStringType: fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'),
      defaultKeyType: fc.constant('PLAIN'),
    } as const);
    const front = fc
      .tuple(
        fc.dictionary(key, value),
        style,
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom('', '# c\n', '\n'),
        fc.constantFrom('', '# c\n', '\n', '  # c\n'),
      )
      .map(([fields, options, lineEnd, head, tail]) =>
        `---\n${head}${stringify({ ...fields, description: 'd' }, options)}${tail}---\nBody.`.replaceAll('\n', lineEnd),
      );
    fc.assert(
      fc.property(front, fc.string({ minLength: 1 }), (text, said) => {
        const before = playbookOf(file(text));
        const reason = said.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ').trim();
        if (before === undefined || reason === '') return;
        const standing: Standing = { status: 'deprecated', deprecation: { since: '2026-11-30', reason } };
        const to = edited(text, standing);
        expect(edited(to, active)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});

function playbookOf(from: SourceFile): Playbook | undefined {
  const outcome = parsePlaybook(from);
  return outcome.kind === 'playbook' ? outcome.playbook : undefined;
}

// Public skills as tarballs; too large to commit.
const FOLDER = resolve(process.env.PLAYBOOK_MCP_CORPORA ?? join(import.meta.dirname, '../../../shared/corpora'));
const tarballs = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.tar.gz')) : [];
if (tarballs.length === 0) console.warn(`SKIPPED: no corpora in ${FOLDER}; PLAYBOOK_MCP_CORPORA names their folder.`);

describe.skipIf(tarballs.length === 0)('every public skill', () => {
  const files = new Map<string, SourceFile>();
  let unpacked: string | undefined;

  beforeAll(() => {
    unpacked = mkdtempSync(join(tmpdir(), 'playbook-corpora-'));
    for (const tarball of tarballs) execFileSync('tar', ['-xzf', join(FOLDER, tarball), '-C', unpacked]);
    for (const name of readdirSync(unpacked, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.md')) continue;
      const from = file(readFileSync(join(unpacked, name)));
      if (playbookOf(from) !== undefined) files.set(name, from);
    }
  });

  afterAll(() => {
    if (unpacked !== undefined) rmSync(unpacked, { recursive: true });
  });

  it('differs in the changed keys only once it is deprecated, and is as it was once it is restored', () => {
    const standing: Standing = {
      status: 'deprecated',
      deprecation: {
        since: '2026-11-30',
        reason: 'Nobody\'s: since #1, "it" is wrong',
        replacedBy: 'deploy/roll-back',
      },
    };
    const wrong: string[] = [];
    for (const [name, from] of files) {
      const before = playbookOf(from);
      const there = setStatus(from, standing);
      if (before === undefined || there.kind !== 'edited') {
        wrong.push(`${name}: ${there.kind === 'refused' ? there.reason : there.kind}`);
        continue;
      }
      if (before.status !== 'active' || before.deprecation !== undefined) continue;
      const back = setStatus({ ...from, bytes: there.bytes }, active);
      const isAsItWas = back.kind === 'edited' && Buffer.compare(back.bytes, from.bytes) === 0;
      if (!isAsItWas || !isInsertion(from.bytes, there.bytes)) wrong.push(`${name}: more was changed`);
    }
    expect(files.size).toBeGreaterThan(2_800);
    expect(wrong).toEqual([]);
    // Thousands of files are parsed four times each.
  }, 300_000);
});

/** Whether the longer bytes are the shorter ones and one piece more. */
function isInsertion(shorter: Uint8Array, longer: Uint8Array): boolean {
  let same = 0;
  while (same < shorter.length && shorter[same] === longer[same]) same += 1;
  const rest = shorter.subarray(same);
  return Buffer.compare(rest, longer.subarray(longer.length - rest.length)) === 0;
}
