import type { Playbook, SourceFile } from '../../model.ts';
import { decodeExactly } from '../../playbooks/decode.ts';
import { playbookIn } from '../../playbooks/parse.ts';
import { missingQuotes } from '../../playbooks/quote-unquoted.ts';
import { saysTheSame } from '../../playbooks/says-the-same.ts';
import { editText } from '../../playbooks/splices.ts';

import { endOfText } from './end-of-text.ts';

/** What mending a file gives. */
export interface Fix {
  readonly bytes: Uint8Array;
  /** Ids of the rules whose findings are mended. */
  readonly rules: readonly string[];
}

/**
 * Mends what can be mended without changing what the playbook says; every other byte stays as it is, line ends and byte order mark
 * included. The mended file is parsed again, and unless it is the same playbook, nothing is mended. Undefined where nothing is.
 * @param rules ids of the rules that reported something in this file
 */
export function fixFile(file: SourceFile, rules: readonly string[]): Fix | undefined {
  const raw = decodeExactly(file.bytes);
  const before = playbookIn(file);
  let fix: Fix | undefined;
  let text = raw;
  for (const [ids, mend] of MENDERS) {
    const named = ids.filter((id) => rules.includes(id));
    const mended = named.length === 0 ? text : mend(text);
    const bytes = Buffer.from(mended);
    if (mended === text || before === undefined || !isSame(before, playbookIn({ ...file, bytes }))) continue;
    text = mended;
    fix = { bytes, rules: [...(fix?.rules ?? []), ...named] };
  }
  return fix;
}

const MENDERS: readonly (readonly [readonly string[], (raw: string) => string])[] = [
  [['unquoted-colon', 'unquoted-hint'], quoteUnquoted],
  [['final-newline'], endWithNewline],
];

function endWithNewline(raw: string): string {
  const lineEnd = raw.includes('\r\n') ? '\r\n' : '\n';
  return `${raw.slice(0, endOfText(raw))}${lineEnd}`;
}

function quoteUnquoted(raw: string): string {
  return editText(raw, missingQuotes);
}

function isSame(before: Playbook, after: Playbook | undefined): boolean {
  return after !== undefined && before.body.trimEnd() === after.body.trimEnd() && saysTheSame(before, after, ['body']);
}
