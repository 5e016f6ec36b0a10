import pc from 'picocolors';

/**
 * The one file that prints and sets the exit code. Results go to stdout, everything about them to stderr; colours only
 * on a terminal (picocolors honours NO_COLOR and FORCE_COLOR).
 */

/** 0 fine, 1 findings, 2 wrong use or configuration, 3 bug, 5 upstream unreachable. */
export type ExitCode = 0 | 1 | 2 | 3 | 5;

/** Writes a result, one line or several. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Writes a result for programs. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, undefined, 2));
}

/** Writes a remark for the person at the keyboard. */
export function remark(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Writes what went wrong and what to do next. */
export function complain(message: string, hint?: string): void {
  remark(`${pc.red('error')}: ${message}`);
  if (hint !== undefined) remark(`  ${hint}`);
}

/** Sets the exit code; the gravest one wins. */
export function exitWith(code: ExitCode): void {
  process.exitCode = Math.max(Number(process.exitCode ?? 0), code);
}

export const bold = (text: string): string => pc.bold(text);
export const dim = (text: string): string => pc.dim(text);
export const red = (text: string): string => pc.red(text);
export const yellow = (text: string): string => pc.yellow(text);
export const green = (text: string): string => pc.green(text);

/** Columns padded to their widest cell; the last one is cut to the terminal's width, where there is a terminal. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, i) => Math.max(widest[i] ?? 0, cell.length)),
    [],
  );
  const terminal = process.stdout.isTTY ? process.stdout.columns : undefined;
  return rows
    .map((row) => {
      const line = row
        .map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0)))
        .join('  ')
        .trimEnd();
      return terminal !== undefined && line.length > terminal ? `${line.slice(0, terminal - 1)}…` : line;
    })
    .join('\n');
}
