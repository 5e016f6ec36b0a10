import { pipeline } from 'node:stream/promises';
import pc from 'picocolors';

/**
 * The one file that prints and sets the exit code. Results go to stdout, everything about them to stderr; colours only
 * on a terminal (picocolors honours NO_COLOR and FORCE_COLOR).
 */

/** 0 fine, 1 findings, 2 wrong use or configuration, 3 bug, 5 upstream unreachable. */
export type ExitCode = 0 | 1 | 2 | 3 | 5;

/**
 * Control characters but line ends, tabs, and the colours of this file: a playbook that moves the cursor or sets the window's
 * title must not do so to the person who inspects it.
 */
const UNSAFE = /\u001B(?!\[(?:1|2|22|31|32|33|39)m)|[\u0000-\u0008\u000B-\u001A\u001C-\u001F\u007F-\u009F]/g;

/** Writes a result, one line or several. */
export function print(text: string): void {
  write(process.stdout, `${text.replace(UNSAFE, '\uFFFD')}\n`);
}

/** Writes a long result a piece at a time, as fast as it is read; a reader that goes away, as `head` does, ends it. */
export async function printPieces(pieces: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(
      async function* () {
        for await (const piece of pieces) yield piece.replace(UNSAFE, '\uFFFD');
      },
      process.stdout,
      { end: false },
    );
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error;
  }
}

/** Writes a text that another program takes, such as a patch, to the byte; on a terminal as `print` does. */
export function printExact(text: string): void {
  if (process.stdout.isTTY) print(text.replaceAll('\r\n', '\n').trimEnd());
  else process.stdout.write(text);
}

/** Writes a result for programs. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, undefined, 2));
}

/** Writes a remark for the person at the keyboard. */
export function remark(text: string): void {
  write(process.stderr, `${text.replace(UNSAFE, '\uFFFD')}\n`);
}

/** Writes what went wrong and what to do next. */
export function complain(message: string, hint?: string): void {
  remark(`${pc.red('error')}: ${message}`);
  if (hint !== undefined) remark(`  ${hint}`);
}

/** Shows, on a terminal, how far long work is: one line of stderr that the next one replaces; '' takes it away. */
export function progress(text: string): void {
  if (!process.stderr.isTTY || (text !== '' && Date.now() - progressAt < PROGRESS_MS)) return;
  progressAt = text === '' ? 0 : Date.now();
  write(process.stderr, `\r\u001B[K${pc.dim(text.replace(UNSAFE, '\uFFFD'))}`);
}

/** Whoever reads may stop early, as `head` does: what is left is written to nobody, and the exit code stays what it is. */
function write(stream: NodeJS.WriteStream, text: string): void {
  if (!guarded.has(stream)) {
    guarded.add(stream);
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  stream.write(text);
}

const guarded = new Set<NodeJS.WriteStream>();

/** A terminal that is written to for each of thousands of files costs more than the files. */
const PROGRESS_MS = 80;
let progressAt = 0;

/** Sets the exit code; the gravest one wins. */
export function exitWith(code: ExitCode): void {
  process.exitCode = Math.max(Number(process.exitCode ?? 0), code);
}

export const bold = (text: string): string => pc.bold(text);
export const dim = (text: string): string => pc.dim(text);
export const red = (text: string): string => pc.red(text);
export const yellow = (text: string): string => pc.yellow(text);
export const green = (text: string): string => pc.green(text);

/** Columns of the terminal; `otherwise` where stdout is none. */
export function terminalColumns(otherwise: number): number {
  return process.stdout.isTTY ? process.stdout.columns : otherwise;
}

/** A text without line ends: what follows one would be a row of its own, or, in a workflow's log, a command. */
export function oneLine(text: string): string {
  return text.replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ');
}

/** Columns padded to their widest cell; the last one is cut to `room`: the terminal's width, where there is a terminal. */
export function table(rows: readonly (readonly string[])[], room = terminalColumns(Infinity)): string {
  const lines = rows.map((row) => row.map(oneLine));
  const columns = Math.max(0, ...lines.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) => Math.max(...lines.map((row) => widthOf(row[i] ?? ''))));
  return lines
    .map((row) => {
      const last = row.length - 1;
      const head = row.slice(0, last).map((cell, i) => `${cell}${' '.repeat((widths[i] ?? 0) - widthOf(cell))}  `);
      return `${head.join('')}${cut(row[last] ?? '', room - widthOf(head.join('')))}`.trimEnd();
    })
    .join('\n');
}

const COLOURS = /\u001B\[\d+m/g;

/** What a cell takes on the terminal: its colours take nothing. */
function widthOf(cell: string): number {
  return cell.replace(COLOURS, '').length;
}

/** A path at the end is what a person needs; where nothing sensible is left, the line wraps. */
function cut(cell: string, room: number): string {
  if (widthOf(cell) <= room || room < 20 || cell.startsWith('/')) return cell;
  return `${cell.replace(COLOURS, '').slice(0, room - 1)}…`;
}
