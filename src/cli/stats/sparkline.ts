const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
const NOTHING = ' ';

/** Counts over time as one line of bars, the highest of them full; neighbours are summed up where there are more than `width`. */
export function sparkline(counts: readonly number[], width: number): string {
  const sums = summed(counts, width);
  const highest = Math.max(...sums, 0);
  return sums
    .map((sum) => (sum === 0 ? NOTHING : (BARS[Math.ceil((sum / highest) * BARS.length) - 1] ?? NOTHING)))
    .join('');
}

function summed(counts: readonly number[], width: number): readonly number[] {
  const each = Math.ceil(counts.length / width);
  if (each <= 1) return counts;
  // The last bar is a whole one, since people look at it first; the first may be of fewer.
  const lead = counts.length % each;
  const starts = [
    ...(lead > 0 ? [0] : []),
    ...Array.from({ length: Math.floor(counts.length / each) }, (_, at) => lead + at * each),
  ];
  return starts.map((start, at) =>
    counts.slice(start, starts[at + 1] ?? counts.length).reduce((sum, count) => sum + count, 0),
  );
}
