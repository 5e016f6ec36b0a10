/** What a benchmark found, in the one form that all of them speak. */
export interface Findings {
  /** Its name: `retrieval` for `npm run bench:retrieval`. */
  readonly bench: string;
  /** The figures that a command may check, as JSON. */
  readonly figures: object;
  /** A table for people, its heading first. */
  readonly rows: readonly (readonly string[])[];
}

/** Prints the table, or with `--json` on the command line one object `{bench, figures}` and nothing else. */
export function printFigures({ bench, figures, rows }: Findings): void {
  console.log(process.argv.includes('--json') ? JSON.stringify({ bench, figures }) : toTable(rows));
}

/** Columns aligned: the first one to the left, the others, which hold numbers, to the right. */
function toTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
