import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { Playbook } from '../../src/model.ts';
import { findLinks } from '../../src/playbooks/links.ts';
import type { ParseOutcome } from '../../src/playbooks/parse.ts';
import { referenceTargets } from '../../src/playbooks/references.ts';
import { renderPlaybook } from '../../src/playbooks/render.ts';
import { diagnosticsOf, parseText } from './parse-text.ts';

const FOLDER = join(import.meta.dirname, '../fixtures/edge-cases');

function parseFile(path: string, shape: 'file' | 'folder' = 'file'): ParseOutcome {
  const id = path.replace(/(?:\/SKILL)?\.md$/, '');
  return parseText(readFileSync(join(FOLDER, path)), { path: `/central/${path}`, id, shape });
}

function playbookFile(path: string): Playbook {
  const outcome = parseFile(path);
  if (outcome.kind !== 'playbook') throw new Error(`${path} is no playbook: ${JSON.stringify(outcome)}`);
  return outcome.playbook;
}

function said(outcome: ParseOutcome): readonly string[] {
  return diagnosticsOf(outcome).map(({ rule, line, column }) => `${rule} ${line}:${column}`);
}

describe('files that are playbooks', () => {
  it.each([
    {
      name: 'bom.md',
      description: 'Saved by an editor that writes a byte order mark. Use when testing BOM.',
      body: 'Body after BOM.\n',
    },
    {
      name: 'crlf.md',
      description: 'Saved with Windows line ends. Use when testing CRLF.',
      body: 'Line one\nLine two\n',
    },
    {
      name: 'dashes-in-value.md',
      description: 'Splits sections at --- marks. Use when a file has ---\n inside',
      body: 'Body with a rule:\n\n---\n\nafter the rule.\n',
    },
    {
      name: 'block-folded.md',
      description: 'A folded description over two lines. Use when testing folding.\n',
      body: 'Body.\n',
    },
    {
      name: 'block-literal-keep.md',
      description: 'Kept newline at the end. Use when testing chomping.\n\n',
      body: 'Body.\n',
    },
    {
      name: 'fence-at-eof.md',
      description: 'No body at all, the file ends with the fence. Use when testing empty bodies.',
      body: '',
    },
  ])('reads $name as its author means it, without a word', ({ name, description, body }) => {
    const outcome = parseFile(name);
    expect(outcome).toMatchObject({ kind: 'playbook', playbook: { description, body }, diagnostics: [] });
  });

  it('reads an unquoted colon by one retry, with a warning at the value', () => {
    const outcome = parseFile('colon.md');
    expect(outcome).toMatchObject({
      playbook: { description: 'Use when: a deploy is stuck, or the queue says: blocked' },
    });
    expect(said(outcome)).toEqual(['unquoted-colon 3:14']);
  });

  it('reads scalars that YAML types as the text that stands there', () => {
    const outcome = parseFile('numbers-as-names.md');
    expect(outcome).toMatchObject({
      playbook: { name: '404', description: '2026-11-29', tags: ['1.0', 'yes', 'domain:http'] },
    });
    expect(said(outcome)).toEqual(['bad-field 4:18']);
  });

  it('reads tags in one text of `metadata`', () => {
    expect(playbookFile('tags-as-string.md').tags).toEqual(['domain:build', 'action:cache', 'ci']);
  });

  it('replaces declared parameters only', () => {
    expect(renderPlaybook(playbookFile('helm-template.md'), { release: 'web' })).toBe(
      'Run `helm upgrade web .` and keep `{{ .Values.image }}`, `${{ secrets.TOKEN }}` and `{{unknown}}`.\n',
    );
  });

  it.each([
    { name: 'unicode-名前.md', label: 'デプロイ手順' },
    { name: 'russian.md', label: 'otkat-reliza' },
  ])('reads $name in its own script', ({ name, label }) => {
    expect(playbookFile(name).name).toBe(label);
  });

  it('finds every way to refer, and nothing in code, images or the web', () => {
    const targets = referenceTargets(playbookFile('links.md')).map(({ ids }) => ids);
    expect(targets).toEqual([
      ['bom'],
      ['colon'],
      ['fence-at-eof'],
      ['helm-template'],
      ['russian'],
      ['block-folded'],
      ['does-not-exist'],
      ['block-literal-keep'],
      ['crlf'],
    ]);
  });

  it('reads a nested skill and its link to a supporting file', () => {
    const outcome = parseFile('nested/deep/er/SKILL.md', 'folder');
    if (outcome.kind !== 'playbook') throw new Error('no playbook');
    expect(outcome.playbook.id).toBe('nested/deep/er');
    expect(referenceTargets(outcome.playbook)).toMatchObject([{ files: ['references/forms.md'], line: 5, column: 6 }]);
    expect(parseFile('nested/deep/er/references/forms.md')).toEqual({ kind: 'ignored', reason: 'no-front-matter' });
  });
});

describe('files that are none', () => {
  it.each([
    { name: 'no-front-matter.md', reason: 'no-front-matter' },
    { name: 'README.md', reason: 'no-front-matter' },
    { name: 'empty.md', reason: 'empty' },
  ])('ignores $name without an error', ({ name, reason }) => {
    expect(parseFile(name)).toEqual({ kind: 'ignored', reason });
  });

  it.each([
    { name: 'unclosed-fence.md', finding: 'unclosed-fence 5:1' },
    { name: 'duplicate-keys.md', finding: 'duplicate-key 3:1' },
    { name: 'latin1.md', finding: 'not-utf8 3:17' },
    { name: 'js-engine.md', finding: 'foreign-front-matter 1:1' },
    { name: 'alias-bomb.md', finding: 'too-many-values 1:1' },
  ])('says where $name goes wrong', ({ name, finding }) => {
    const outcome = parseFile(name);
    expect(outcome.kind).toBe('unreadable');
    expect(said(outcome)).toEqual([finding]);
    expect(diagnosticsOf(outcome)[0]).toMatchObject({ path: `/central/${name}`, severity: 'error' });
  });

  it('never runs JavaScript front matter', () => {
    parseFile('js-engine.md');
    expect(Reflect.get(globalThis, 'PWNED')).toBeUndefined();
  });

  it('pollutes no prototype, and hands on no key that could', () => {
    const { extra } = playbookFile('proto.md');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Object.keys(extra)).toEqual(['constructor']);
    expect(Reflect.get(Object.assign({}, extra), 'polluted')).toBeUndefined();
  });
});

it('gives an answer for every file of the folder, and its links', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'));
  expect(files.length).toBeGreaterThan(20);
  for (const path of files) {
    const outcome = parseFile(path);
    if (outcome.kind === 'playbook') expect(findLinks(outcome.playbook)).toBeInstanceOf(Array);
  }
});
