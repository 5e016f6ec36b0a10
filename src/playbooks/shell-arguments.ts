import type { Playbook } from '../model.ts';

/** The one parameter of a file that says only that it takes arguments: everything that the caller gives, as one text. */
export const ALL_ARGUMENTS = 'ARGUMENTS';

/** How the `$` placeholders of Claude Code are found in one playbook, and what stands in their place. */
export interface ShellPlaceholders {
  /** Source of a regular expression with the groups `index`, `position` and `named`. */
  readonly pattern: string;
  /** The text for one match; undefined where it is none of the arguments (`$100`, `$HOME`) and stays as it is. */
  readonly valueOf: (groups: Readonly<Record<string, string | undefined>>) => string | undefined;
  /** What `$ARGUMENTS` stands for. */
  readonly all: string;
}

/**
 * Placeholders for given values. Positions follow the declared order of the parameters, or the words of `ARGUMENTS`.
 * `$ARGUMENTS[0]` is the first. `$1` is the first too, as in a shell and in Claude Code's older commands, unless the body
 * has a `$0`: then `$0` is, as in its newer ones.
 * @see https://code.claude.com/docs/en/skills
 */
export function shellPlaceholders(playbook: Playbook, values: ReadonlyMap<string, string>): ShellPlaceholders {
  const given = values.get(ALL_ARGUMENTS);
  const names = [...values.keys()].filter((name) => name !== ALL_ARGUMENTS);
  const positional = given === undefined ? names.map((name) => values.get(name) ?? '') : splitWords(given);
  const all = given ?? positional.filter((value) => value !== '').join(' ');
  const first = /(?<![\\$])\$0(?!\d)/.test(playbook.body) ? 0 : 1;
  return {
    pattern: placeholderPattern(names),
    all,
    valueOf: ({ index, position, named }) => {
      if (index !== undefined) return positional[Number(index)];
      if (position !== undefined) return positional[Number(position) - first];
      return named === undefined || named === ALL_ARGUMENTS ? all : values.get(named);
    },
  };
}

function placeholderPattern(names: readonly string[]): string {
  // Longest first: `$issue-id` is not `$issue` followed by `-id` where both are declared.
  const named = [ALL_ARGUMENTS, ...names].toSorted((a, b) => b.length - a.length).map(escapeRegExp);
  return String.raw`(?<![\\$])\$(?:ARGUMENTS\[(?<index>\d+)\]|(?<position>\d+)|(?<named>${named.join('|')})(?![\w]))`;
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

/** Words as a shell splits them: blanks separate, single or double quotes hold together. */
function splitWords(text: string): readonly string[] {
  const words = text.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+|["']/g) ?? [];
  return words.map((word) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
  );
}
