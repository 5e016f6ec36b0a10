import { isJsonObject, type JsonObject } from '../model.ts';
import type { UsageSession } from '../usage/sessions.ts';
import type { FinishedCall } from './call-events.ts';
import { callThreeTools, type ThreeToolsCall } from './call-tool.ts';
import type { Answer } from './input-rounds.ts';
import type { Caller } from './mcp-server.ts';
import type { Runtime } from './runtime.ts';

/** `callThreeTools`, recorded. */
export async function callRecorded(runtime: Runtime, call: ThreeToolsCall, session: UsageSession): Promise<Answer> {
  const { name, given, caller } = call;
  const asked = isJsonObject(given) && typeof given['workspace'] === 'string' ? given['workspace'] : undefined;
  return recorded(runtime, () => callThreeTools(runtime, call), {
    about: { operation: name, given, client: caller.client, traceparent: caller.meta['traceparent'], session },
    snapshotOf: () => runtime.snapshot(asked, caller.roots),
  });
}

/** `Runtime.readResource`, recorded: that something was read, not what, since an address may hold anything. */
export async function readRecorded(
  runtime: Runtime,
  uri: string,
  { signal, client, session }: Pick<Caller, 'signal' | 'client'> & { readonly session: UsageSession },
): Promise<JsonObject> {
  return recorded(runtime, () => runtime.readResource(uri, signal), {
    about: { operation: 'resource', given: undefined, client, traceparent: undefined, session },
    snapshotOf: () => runtime.snapshot(),
  });
}

interface Recording {
  readonly about: Omit<FinishedCall, 'answer' | 'time' | 'ms'>;
  readonly snapshotOf: () => ReturnType<Runtime['snapshot']>;
}

async function recorded<T extends Answer | JsonObject>(
  { usage }: Runtime,
  call: () => Promise<T>,
  { about, snapshotOf }: Recording,
): Promise<T> {
  if (!usage.isOn) return call();
  const time = Date.now();
  const began = performance.now();
  let answer: T | undefined;
  try {
    answer = await call();
    return answer;
  } finally {
    usage.record({ ...about, answer, time, ms: performance.now() - began }, snapshotOf);
  }
}
