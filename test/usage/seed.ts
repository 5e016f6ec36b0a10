import { randomUUID } from 'node:crypto';
import type { SeenEntry, StepReport, UsageEvent, UsageReader } from '../../src/usage/event.ts';

export function event(overrides: Partial<UsageEvent> = {}): UsageEvent {
  return {
    id: randomUUID(),
    time: 1_790_000_000_000,
    session: 's',
    client: 'test',
    user: null,
    repo: null,
    operation: 'execute',
    entry: 'platform:deploy',
    kind: 'playbook',
    source: 'platform',
    digest: 'd',
    outcome: 'ok',
    code: null,
    ms: 1.5,
    tokens: 10,
    rank: null,
    query: null,
    shown: null,
    trace: null,
    ...overrides,
  };
}

export function entry(overrides: Partial<SeenEntry> = {}): SeenEntry {
  return {
    entry: 'platform:deploy',
    kind: 'playbook',
    source: 'platform',
    repo: null,
    firstSeen: 1,
    lastSeen: 1,
    ...overrides,
  };
}

export function report(overrides: Partial<StepReport> = {}): StepReport {
  return {
    id: randomUUID(),
    time: 1_790_000_000_000,
    entry: 'platform:deploy',
    repo: null,
    digest: 'd',
    step: null,
    problem: 'It is outdated.',
    client: 'test',
    user: null,
    ...overrides,
  };
}

/** Every event of a store. */
export async function allEvents(
  reader: UsageReader,
  range?: Parameters<UsageReader['events']>[0],
): Promise<UsageEvent[]> {
  const all: UsageEvent[] = [];
  for await (const some of reader.events(range)) all.push(...some);
  return all;
}
