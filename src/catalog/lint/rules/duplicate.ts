import type { DuplicatePair } from '../../duplicates/find.ts';
import type { DuplicateKind } from '../../duplicates/kind.ts';
import type { LintFile, LintFinding, LintRule } from '../types.ts';

const SAYING: Readonly<Record<Exclude<DuplicateKind, 'same-name'>, string>> = {
  exact: 'has the same text as',
  near: 'has nearly the same text as',
  'same-purpose': 'has the same steps in other words as',
};

export const duplicate: LintRule = {
  id: 'duplicate',
  needs: 'playbook',
  severity: 'warning',
  summary: 'The playbook repeats another one: the same text, nearly the same, or the same steps in other words.',
  why: 'An agent finds both and cannot tell them apart; whoever corrects one forgets the other.',
  mend: 'Merge them, or make one refer to the other. Told at the one that is suggested to go; `playbook-mcp duplicates` shows the pairs, what they share and which to keep.',
  check: (file, { duplicatesOf, isLinted }) =>
    duplicatesOf(file.entry).flatMap((pair) => {
      const other = pair.a === file.entry ? pair.b : pair.a;
      // Where only one of the two is looked at, its author must hear of it.
      if (pair.kind === 'same-name' || (pair.keep.id === file.entry.id && isLinted(other.playbook))) return [];
      return [
        {
          ...placeOf(file, pair),
          message: `The playbook ${SAYING[pair.kind]} ${other.id}${shared(pair)}.`,
          hint: `Merge the two, or make one refer to the other. Suggested to keep: ${pair.keep.id} (${pair.keep.reason.replace(/\.$/, '')}).`,
        },
      ];
    }),
};

export const duplicateName: LintRule = {
  id: 'duplicate-name',
  needs: 'playbook',
  severity: 'info',
  summary: 'Another playbook has the same name.',
  why: 'The name alone calls neither of them, and a list shows two that look the same.',
  mend: 'Give one of them a name that says what is different. Playbooks that repeat each other are reported by `duplicate`.',
  check: (file, { duplicatesOf, isLinted }) =>
    duplicatesOf(file.entry).flatMap((pair) => {
      const other = pair.a === file.entry ? pair.b : pair.a;
      if (pair.kind !== 'same-name' || (pair.keep.id === file.entry.id && isLinted(other.playbook))) return [];
      return [{ ...file.locate(['name']), message: `${other.id} has the same name, "${file.entry.name}".` }];
    }),
};

/** Where the passage that both have begins, else the top. */
function placeOf({ entry }: LintFile, { a, passage }: DuplicatePair): Pick<LintFinding, 'line' | 'column'> {
  const line = a === entry ? passage?.lineInA : passage?.lineInB;
  return { line: line ?? 1, column: 1 };
}

function shared({ overlapRatio, kind }: DuplicatePair): string {
  return kind === 'exact' ? '' : ` (overlap ${Math.round(overlapRatio * 100)} %)`;
}
