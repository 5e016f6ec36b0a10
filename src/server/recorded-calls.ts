import type { GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/server';
import { PlaybookError } from '../errors.ts';
import { isJsonObject } from '../model.ts';
import type { UsageSession } from '../usage/sessions.ts';
import type { FinishedCall } from './call-events.ts';
import { callThreeTools, type ThreeToolsCall } from './call-tool.ts';
import type { Answer } from './input-rounds.ts';
import type { Runtime } from './runtime.ts';
import type { Snapshot } from './snapshot.ts';

/** Whose piece of work a call belongs to. */
export interface CallOrigin {
  readonly session: UsageSession;
  /** Name of the authenticated caller. */
  readonly user?: string;
}

/** `callThreeTools`, recorded. */
export async function callRecorded(runtime: Runtime, call: ThreeToolsCall, by: CallOrigin): Promise<Answer> {
  const { name, given, caller } = call;
  const asked = isJsonObject(given) && typeof given['workspace'] === 'string' ? given['workspace'] : undefined;
  return recorded(runtime, () => callThreeTools(runtime, call), {
    about: { operation: name, given, client: caller.client, traceparent: caller.meta['traceparent'], ...by },
    snapshotOf: () => runtime.snapshot(asked, caller.roots, caller.access),
  });
}

interface Recording {
  readonly about: Omit<FinishedCall, 'answer' | 'code' | 'time' | 'ms'>;
  readonly snapshotOf: () => Promise<Snapshot>;
}

/** A call, recorded when it is over, however it ends. */
export async function recorded<T extends Answer | ReadResourceResult | GetPromptResult>(
  { usage }: Runtime,
  call: () => Promise<T>,
  { about, snapshotOf }: Recording,
): Promise<T> {
  if (!usage.isOn) return call();
  const time = Date.now();
  const began = performance.now();
  let answer: T | undefined;
  let code: string | undefined;
  try {
    answer = await call();
    return answer;
  } catch (error) {
    if (error instanceof PlaybookError) ({ code } = error);
    throw error;
  } finally {
    usage.record({ ...about, answer, code, time, ms: performance.now() - began }, snapshotOf);
  }
}
