import type { GraphReport } from '../../catalog/graph-shape.ts';
import { type OutlineLine, outlineOf, outlineOfOrphans } from './outline.ts';

/** How parts of the text are set apart; identity functions where colours have no place. */
interface TextStyle {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly warn: (text: string) => string;
}

export interface TextOptions {
  /** Columns of the terminal; Infinity where there is none. */
  readonly width: number;
  readonly style: TextStyle;
  /** Id of the playbook that the report is about. */
  readonly of?: string | undefined;
}

const NOTES = {
  above: '(shown above)',
  cycle: '↺ cycle',
  deeper: '… goes on below',
  tool: 'tool',
  'unknown tool': 'tool, unknown',
  file: 'file',
} as const satisfies Record<NonNullable<OutlineLine['note']>, string>;

/** Narrower than this, lines wrap rather than lose their ids. */
const NARROWEST = 40;

/** The graph for a person: trees, orphans, cycles, what dangles, and totals. */
export function toText(report: GraphReport, options: TextOptions): string {
  const { bold, dim, warn } = options.style;
  const inCycle = new Set(report.cycles.flatMap(({ members }) => members));
  const draw = (lines: readonly OutlineLine[]): readonly string[] =>
    lines.map((line) => drawLine(line, { ...options, inCycle }));
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ['', bold(`${title} (${lines.length})`), ...lines];
  const orphans = outlineOfOrphans(report);
  return [
    ...draw(outlineOf(report)),
    ...(orphans.length === 0
      ? []
      : ['', `${bold(`Orphans (${report.orphans.length})`)} ${dim('refer to no playbook, and none refers to them')}`]),
    ...draw(orphans),
    ...section(
      'Cycles',
      report.cycles.map(({ members, path }) => warn(`↺ ${path.join(' → ')}${restOf(members.length, path.length - 1)}`)),
    ),
    ...section(
      'Dangling references',
      report.dangling.map(({ from, written, path, line, column }) => {
        return `${warn('✗')} ${from} → ${written} ${dim(`${path}:${line}:${column}`)}`;
      }),
    ),
    '',
    totalsText(report),
  ]
    .join('\n')
    .replace(/^\n/, '');
}

function restOf(members: number, shown: number): string {
  return members > shown ? ` (${members} playbooks lead round)` : '';
}

interface LineOptions extends TextOptions {
  readonly inCycle: ReadonlySet<string>;
}

function drawLine(
  { branches, label, playbook, note }: OutlineLine,
  { width, style, of, inCycle }: LineOptions,
): string {
  const { bold, dim, warn } = style;
  const last = branches.length - 1;
  const prefix = branches.map((more, level) => (level === last ? (more ? '├── ' : '└── ') : more ? '│   ' : '    '));
  const isOf = playbook !== undefined && playbook.id === of;
  const mark = isOf ? ' ◀' : playbook !== undefined && inCycle.has(playbook.id) && note !== 'cycle' ? ' ↺' : '';
  const status = playbook === undefined || playbook.status === 'active' ? '' : ` [${playbook.status}]`;
  const tail = note === undefined || note === 'deeper' ? sizeOf(playbook) : '';
  const said = [note === undefined ? '' : NOTES[note], tail].filter((part) => part !== '').join(' · ');
  const taken = prefix.length * 4 + mark.length + status.length + said.length + 2;
  const shown = cutStart(label, width < NARROWEST ? Infinity : width - taken);
  const strong = branches.length === 0 || isOf ? bold(shown) : shown;
  const end = said === '' ? '' : `  ${note === 'cycle' || note === 'unknown tool' ? warn(said) : dim(said)}`;
  return `${dim(prefix.join(''))}${strong}${mark === '' ? '' : warn(mark)}${status === '' ? '' : warn(status)}${end}`;
}

function sizeOf(playbook: OutlineLine['playbook']): string {
  if (playbook === undefined) return '';
  const { tokens, closureTokens } = playbook;
  const own = `${count(tokens)} tokens`;
  return closureTokens === tokens ? own : `${own}, ${count(closureTokens)} with all below`;
}

/** Keeps the end of an id, which tells siblings apart. */
function cutStart(label: string, room: number): string {
  return label.length <= room || room < 8 ? label : `…${label.slice(1 - room)}`;
}

function totalsText({ totals, roots, orphans, cycles, dangling }: GraphReport): string {
  const parts = [
    `${plural(totals.playbooks, 'playbook')}, ${plural(totals.references, 'reference')}`,
    ...(totals.tools === 0 ? [] : [plural(totals.tools, 'tool')]),
    ...(totals.files === 0 ? [] : [plural(totals.files, 'supporting file')]),
    plural(roots.length, 'root'),
    plural(orphans.length, 'orphan'),
    plural(cycles.length, 'cycle'),
    `${dangling.length} dangling`,
  ];
  const saved = `${Math.round(totals.savedRatio * 100)} %`;
  return [
    parts.join(' · '),
    `Reading each playbook once: ${count(totals.tokens)} tokens; each with all that it leads to: ${count(totals.closureTokens)}.`,
    `Loading references only when a step needs them saves up to ${saved}.`,
  ].join('\n');
}

function plural(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** Not by the machine's locale: the same text everywhere. */
function count(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}
