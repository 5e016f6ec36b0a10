import type { GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/server';
import { PlaybookError } from '../errors.ts';
import { isJsonObject } from '../model.ts';
import type { UsageSession } from '../usage/sessions.ts';
import type { FinishedCall } from './call-events.ts';
import { callThreeTools, type ThreeToolsCall } from './call-tool.ts';
import type { Answer } from './input-rounds.ts';
import type { Runtime } from './runtime.ts';
import type { Snapshot } from './snapshot.ts';
import type { Reader } from './surface.ts';

/** Whose piece of work a call belongs to. */
export interface CallOrigin {
  readonly session: UsageSession;
  /** Name of the authenticated caller. */
  readonly user?: string;
}

/** `callThreeTools`, recorded. */
export async function callRecorded(
  runtime: Runtime,
  call: Omit<ThreeToolsCall, 'look'>,
  by: CallOrigin,
): Promise<Answer> {
  const { name, given, caller } = call;
  const asked = isJsonObject(given) && typeof given['workspace'] === 'string' ? given['workspace'] : undefined;
  const view = viewOf(runtime, caller, asked);
  return recorded(runtime, () => callThreeTools(runtime, { ...call, look: view.look }), {
    about: { operation: name, given, client: caller.client, traceparent: caller.meta['traceparent'], ...by },
    view,
  });
}

/** What a call sees of the catalog. */
export interface View {
  /** Gives it as it is now. @param asked the `workspace` argument of the call */
  readonly look: (asked?: string) => Promise<Snapshot>;
  /** What it was given last; as it is now where it has not looked. */
  readonly seen: () => Promise<Snapshot>;
}

/** @param asked the `workspace` of a call that may end before it has looked. */
export function viewOf(runtime: Runtime, { roots, access }: Pick<Reader, 'roots' | 'access'>, asked?: string): View {
  let last: Promise<Snapshot> | undefined;
  const look: View['look'] = (workspace) => {
    last = runtime.snapshot(workspace, roots, access);
    return last;
  };
  return { look, seen: () => last ?? look(asked) };
}

interface Recording {
  readonly about: Omit<FinishedCall, 'answer' | 'code' | 'time' | 'ms'>;
  readonly view: View;
}

/** A call, recorded when it is over, however it ends. */
export async function recorded<T extends Answer | ReadResourceResult | GetPromptResult>(
  { usage }: Runtime,
  call: () => Promise<T>,
  { about, view }: Recording,
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
    usage.record({ ...about, answer, code, time, ms: performance.now() - began }, view.seen);
  }
}
