import { findHidden, type HiddenRun, nameOf, spelledBy } from '../hidden-characters.ts';
import { groupBy } from '../../group.ts';
import type { LintFile, LintFinding, LintRule } from '../types.ts';

const MOST_NAMED = 3;
const MOST_SPELLED = 80;

export const hiddenUnicode: LintRule = {
  id: 'hidden-unicode',
  severity: 'error',
  summary:
    'The text has characters that nobody sees: direction controls, zero-width characters, tags, control characters.',
  why: 'A reviewer sees another text than the agent reads; instructions can be hidden in it. Even by accident they break searches and commands that are copied.',
  mend: 'Delete the characters. Joiners in emoji and in scripts that need them are not reported.',
  check: ({ text, placeOf }) => {
    const runs = findHidden(text);
    const garbled = runs.filter(({ index, kind }) => kind === 'control' && isGarbled(text, index));
    const others = groupBy(
      runs.filter((run) => !garbled.includes(run)),
      ({ index, kind }) => `${placeOf(index).line} ${kind}`,
    );
    const hidden = [...others.values()].flatMap((onLine) => toFinding(onLine, placeOf));
    const [first] = garbled;
    return first === undefined ? hidden : [toGarbled(garbled.length, placeOf(first.index)), ...hidden];
  },
};

/** Told once a line: a text between whose words something is hidden has it everywhere. */
function toFinding(runs: readonly HiddenRun[], placeOf: LintFile['placeOf']): readonly LintFinding[] {
  const [first] = runs;
  if (first === undefined) return [];
  const run = { ...first, codePoints: runs.flatMap(({ codePoints }) => codePoints) };
  return [
    {
      ...placeOf(first.index),
      message: `${namesOf(run)}${readable(run)}.`,
      hint: 'Delete what is hidden there, and look where it came from.',
      // What word processors leave behind carries no message.
      ...(run.codePoints.every((codePoint) => HARMLESS.has(codePoint)) && { atMost: 'warning' as const }),
    },
  ];
}

/** `â\u0080\u0094` was a dash: a control character behind a letter that UTF-8 begins a character with. */
function isGarbled(text: string, index: number): boolean {
  return (
    /[\u00C2-\u00F4]$/.test(text.slice(Math.max(0, index - 1), index)) ||
    /[\u00C2-\u00F4][\u0080-\u00BF]{1,2}$/.test(text.slice(Math.max(0, index - 3), index))
  );
}

/** Told once a file: whoever converts it again mends them all. */
function toGarbled(count: number, place: Pick<LintFinding, 'line' | 'column'>): LintFinding {
  const message = `The text is garbled in ${count} ${count === 1 ? 'place' : 'places'} from here on: UTF-8 was read as Latin-1 and saved.`;
  return { ...place, message, hint: 'Write the characters again.', atMost: 'warning' };
}

/** Soft hyphen, and single marks that text picks up when it is copied from a web page. */
const HARMLESS: ReadonlySet<number> = new Set([0x00ad, 0x200e, 0x200f]);

function namesOf({ codePoints, kind }: HiddenRun): string {
  const distinct = [...new Set(codePoints)].map((codePoint) => nameOf(codePoint, kind));
  const more = distinct.length > MOST_NAMED ? ` and ${distinct.length - MOST_NAMED} other kinds` : '';
  const count = codePoints.length === 1 ? 'Hidden character' : `${codePoints.length} hidden characters`;
  return `${count}: ${distinct.slice(0, MOST_NAMED).join(', ')}${more}`;
}

function readable(run: HiddenRun): string {
  const spelled = spelledBy(run);
  if (spelled === '') return '';
  return `; they spell "${spelled.length > MOST_SPELLED ? `${spelled.slice(0, MOST_SPELLED)}…` : spelled}"`;
}
