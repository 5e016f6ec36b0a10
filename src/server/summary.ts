import type { Entry } from '../model.ts';
import { isDestructive } from '../tools/risks.ts';

const SUMMARY_LENGTH = 160;

/** The text's first characters as one line, cut at a word near 160 characters. */
export function summaryOf(text: string, longest: number = SUMMARY_LENGTH): string {
  const line = text.replace(/[\s\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu, ' ').trim();
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest);
  const space = cut.lastIndexOf(' ');
  // Scripts without spaces have no word to cut at; a surrogate pair is never split.
  const end = space > longest * 0.6 ? space : longest;
  return `${line
    .slice(0, end)
    .replace(/[\uD800-\uDBFF]$/, '')
    .replace(/[\s,;:.–-]+$/, '')}…`;
}

/** What an agent should know about an entry before it uses it: `deprecated → x`, `shadows …`, `untrusted`, `destructive`. */
export function marksOf(entry: Entry): readonly string[] {
  const marks: string[] = [];
  if (entry.status === 'deprecated' || entry.status === 'retired') marks.push(replacementMark(entry));
  if (entry.status === 'draft') marks.push('draft');
  if (entry.kind === 'playbook') {
    if (entry.shadows.length > 0) marks.push(`shadows ${entry.shadows.join(', ')}`);
    if (!entry.playbook.source.isTrusted) marks.push(`untrusted ${entry.source}`);
  } else if (isDestructive(entry.tool)) marks.push('destructive');
  return marks;
}

function replacementMark(entry: Entry): string {
  const replacement = entry.deprecation?.replacedBy;
  return replacement === undefined ? entry.status : `${entry.status} → ${replacement}`;
}
