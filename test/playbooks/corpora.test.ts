import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { findLinks } from '../../src/playbooks/links.ts';
import type { ParseOutcome } from '../../src/playbooks/parse.ts';
import { outlineOf } from '../../src/playbooks/sections.ts';
import { diagnosticsOf, parseText } from './parse-text.ts';

// Public skills as tarballs; too large to commit.
const FOLDER = resolve(process.env.PLAYBOOK_MCP_CORPORA ?? join(import.meta.dirname, '../../../shared/corpora'));
const tarballs = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.tar.gz')) : [];
if (tarballs.length === 0) console.warn(`SKIPPED: no corpora in ${FOLDER}; PLAYBOOK_MCP_CORPORA names their folder.`);

describe.skipIf(tarballs.length === 0)('thousands of public skills', () => {
  const outcomes = new Map<string, ParseOutcome>();
  let unpacked: string | undefined;

  beforeAll(() => {
    unpacked = mkdtempSync(join(tmpdir(), 'playbook-corpora-'));
    for (const tarball of tarballs) execFileSync('tar', ['-xzf', join(FOLDER, tarball), '-C', unpacked]);
    for (const name of readdirSync(unpacked, { recursive: true, encoding: 'utf8' })) {
      if (!/(?:^|[/\\])SKILL\.md$/.test(name)) continue;
      const path = join(unpacked, name);
      outcomes.set(name, parseText(readFileSync(path), { path, realPath: path, id: name, shape: 'folder' }));
    }
  });

  afterAll(() => {
    if (unpacked !== undefined) rmSync(unpacked, { recursive: true });
  });

  it('are each a playbook or a diagnostic', () => {
    const kinds = [...outcomes.values()].map(({ kind }) => kind);
    const playbookCount = kinds.filter((kind) => kind === 'playbook').length;
    const unreadableCount = kinds.filter((kind) => kind === 'unreadable').length;
    expect(outcomes.size).toBeGreaterThan(3_000);
    expect(playbookCount + unreadableCount).toBe(outcomes.size);
    expect(playbookCount / outcomes.size).toBeGreaterThan(0.95);
  });

  it('are unreadable only for a reason that an author would accept', () => {
    const rules = [...outcomes.values()]
      .filter(({ kind }) => kind === 'unreadable')
      .map((outcome) => diagnosticsOf(outcome)[0]?.rule);
    const expected = ['no-front-matter', 'broken-yaml', 'unclosed-fence', 'missing-description'];
    expect(rules.filter((rule) => rule === undefined || !expected.includes(rule))).toEqual([]);
    // Read by hand: merge conflicts, unclosed brackets, scraped text that begins with a comma.
    expect(rules.filter((rule) => rule === 'broken-yaml').length).toBeLessThan(10);
  });

  it('have links and headings that stand where they say', () => {
    const misplaced: string[] = [];
    for (const [name, outcome] of outcomes) {
      if (outcome.kind !== 'playbook') continue;
      const { body, bodyLine } = outcome.playbook;
      const lines = body.split('\n');
      for (const { line, column } of findLinks(outcome.playbook)) {
        const isLink = /^(?:\[|<|playbook:)/.test(lines[line - bodyLine]?.slice(column - 1) ?? '');
        if (!isLink) misplaced.push(`${name}:${line}:${column}`);
      }
      for (const { line } of outlineOf(body)) if (!lines[line - 1]) misplaced.push(`${name}: heading ${line}`);
    }
    expect(misplaced).toEqual([]);
  });
});
