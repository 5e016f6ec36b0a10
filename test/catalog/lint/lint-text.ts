import { buildCatalog } from '../../../src/catalog/catalog.ts';
import { lintCatalog, type LintInput, type LintReport } from '../../../src/catalog/lint/lint.ts';
import type { WrappedTool } from '../../../src/model.ts';
import { type BrokenPlaybook, readBroken } from '../../../src/playbooks/broken.ts';
import { parsePlaybook } from '../../../src/playbooks/parse.ts';
import { tokenize } from '../../../src/search/tokenize.ts';
import { seed, source } from '../../seed.ts';

/** What a run knows beside the files. */
export interface Setting extends Partial<Pick<LintInput, 'levels' | 'listedServers' | 'hasFile'>> {
  readonly tools?: readonly WrappedTool[];
}

/** Lints a map of path → text, loaded as the product loads it. */
export function lintFiles(files: Readonly<Record<string, string>>, setting: Setting = {}): LintReport {
  const from = source('central');
  const playbooks = seed(files, from);
  const catalog = buildCatalog({ playbooks, tools: setting.tools ?? [] });
  const bytesOf = (path: string): Uint8Array => new TextEncoder().encode(files[path.slice('/central/'.length)] ?? '');
  const broken = new Map<BrokenPlaybook, Uint8Array>();
  const parsed = Object.keys(files).flatMap((path) => {
    if (!path.endsWith('.md')) return [];
    const shape = /(^|\/)SKILL\.md$/.test(path) ? ('folder' as const) : ('file' as const);
    const absolute = `/central/${path}`;
    const id = path.replace(/(\/SKILL)?\.md$/, '');
    const bytes = bytesOf(absolute);
    const file = { source: from, path: absolute, realPath: absolute, id, shape, bytes, supportingFiles: [] };
    const outcome = parsePlaybook(file);
    if (outcome.kind === 'unreadable') broken.set(readBroken(file), bytes);
    return outcome.kind === 'ignored' ? [] : outcome.diagnostics;
  });
  return lintCatalog({
    catalog,
    files: new Map(playbooks.map((each) => [each, bytesOf(each.path)])),
    broken,
    reported: [...parsed, ...catalog.diagnostics],
    tokenize,
    levels: setting.levels ?? new Map(),
    listedServers: setting.listedServers ?? new Set(),
    hasFile: setting.hasFile ?? (() => true),
  });
}

/** `rule line:column` of everything that is found, with the path before it where there are several files. */
export function findingsOf(files: Readonly<Record<string, string>>, setting: Setting = {}): readonly string[] {
  const isOne = Object.keys(files).length === 1;
  return lintFiles(files, setting).diagnostics.map(
    ({ rule, path, line, column }) => `${isOne ? '' : `${path.slice('/central/'.length)} `}${rule} ${line}:${column}`,
  );
}

/** A playbook without any finding, but for what the arguments bring. */
export function playbook(body: string, frontMatter = ''): string {
  return `---\ndescription: Rolls a bad release back. Use when a deploy broke production.\n${frontMatter}---\n${body}\n`;
}
