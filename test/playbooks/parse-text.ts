import type { Diagnostic, Playbook, SourceFile } from '../../src/model.ts';
import { type ParseOutcome, parsePlaybook } from '../../src/playbooks/parse.ts';
import { source } from '../seed.ts';

/** Parses a text or bytes as the file `id` of a source. */
export function parseText(content: string | Uint8Array, overrides: Partial<SourceFile> = {}): ParseOutcome {
  return parsePlaybook({
    source: source('central'),
    path: '/central/deploy/rollback.md',
    realPath: '/central/deploy/rollback.md',
    id: 'deploy/rollback',
    shape: 'file',
    bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content,
    supportingFiles: [],
    ...overrides,
  });
}

/** The playbook of a text that must be one. */
export function playbookOf(content: string | Uint8Array, overrides: Partial<SourceFile> = {}): Playbook {
  const outcome = parseText(content, overrides);
  if (outcome.kind !== 'playbook') throw new Error(`no playbook: ${JSON.stringify(outcome)}`);
  return outcome.playbook;
}

/** A playbook from lines of front matter (a description is added) and a body. */
export function fields(frontMatter: string, body = 'Body.\n'): Playbook {
  return playbookOf(`---\ndescription: Does it.\n${frontMatter}\n---\n${body}`);
}

/** `rule line:column` of everything that was said about a text. */
export function findings(content: string | Uint8Array, overrides: Partial<SourceFile> = {}): readonly string[] {
  return diagnosticsOf(parseText(content, overrides)).map(({ rule, line, column }) => `${rule} ${line}:${column}`);
}

export function diagnosticsOf(outcome: ParseOutcome): readonly Diagnostic[] {
  return outcome.kind === 'ignored' ? [] : outcome.diagnostics;
}
