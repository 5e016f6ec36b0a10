import type { Config } from '../config/index.ts';
import type { SeenEntry, StepReport, UsageEvent } from './event.ts';
import { LineParser } from './line.ts';
import type { UsageStore } from './usage-store.ts';

const AT_ONCE = 2_000;
/** Programs of Windows begin a text with it. */
const BYTE_ORDER_MARK = /^\uFEFF/;

export interface Imported {
  /** Lines that were not empty. */
  readonly lines: number;
  readonly events: number;
  readonly entries: number;
  readonly reports: number;
  /** Lines that said nothing new. */
  readonly known: number;
  readonly bad: number;
  /** Fields that mean nothing here and were left out, without repeats. */
  readonly ignored: readonly string[];
}

export interface ImportOptions {
  readonly queries: Config['usage']['queries'];
  /** Told of each bad line, with its 1-based number. */
  readonly onBad: (line: number, problem: string) => void;
}

/** Adds the lines of an export, or of a team's own logs, to a store, and packs what is settled; see `LineParser`. */
export async function importUsage(
  store: UsageStore,
  lines: AsyncIterable<string>,
  { queries, onBad }: ImportOptions,
): Promise<Imported> {
  const parser = new LineParser(queries);
  const ignored = new Set<string>();
  const totals = { lines: 0, events: 0, entries: 0, reports: 0, bad: 0 };
  let batch = emptyBatch();
  const flush = async (): Promise<void> => {
    const written = await store.write(batch);
    batch = emptyBatch();
    totals.events += written.events;
    totals.entries += written.entries;
    totals.reports += written.reports;
  };
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    totals.lines += 1;
    const read = parser.read(number === 1 ? line.replace(BYTE_ORDER_MARK, '') : line);
    switch (read.kind) {
      case 'bad':
        totals.bad += 1;
        onBad(number, read.problem);
        continue;
      case 'event':
        batch.events.push(read.event);
        break;
      case 'entry':
        batch.entries.push(read.entry);
        break;
      case 'report':
        batch.reports.push(read.report);
        break;
    }
    for (const field of read.ignored) ignored.add(field);
    if (batch.events.length + batch.entries.length + batch.reports.length >= AT_ONCE) await flush();
  }
  await flush();
  while (await store.pack(Date.now()));
  const known = totals.lines - totals.bad - totals.events - totals.entries - totals.reports;
  return { ...totals, known, ignored: [...ignored] };
}

function emptyBatch(): { events: UsageEvent[]; entries: SeenEntry[]; reports: StepReport[] } {
  return { events: [], entries: [], reports: [] };
}
