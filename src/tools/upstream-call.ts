import { PlaybookError } from '../errors.ts';
import type { JsonObject } from '../model.ts';
import type { CallMethod, ConnectionCall } from './connection.ts';
import type { Deadline } from './deadline.ts';
import type { CallOptions, Question } from './provider.ts';

/** One request to an upstream for one of our callers. */
export interface UpstreamCall {
  readonly method: CallMethod;
  readonly params: JsonObject;
  /** What is called, for messages. */
  readonly tool: string;
  readonly options: CallOptions;
  /** False for a second try. */
  readonly mayRetry: boolean;
}

/** The call as a connection takes it: its clock starts anew with progress, and stands still while somebody is asked. */
export function toConnectionCall(
  { method, params, options }: UpstreamCall,
  deadline: Deadline,
  roots: readonly string[],
): ConnectionCall {
  const { onProgress, meta = {}, input, ask = nobodyToAsk } = options;
  return {
    method,
    params,
    meta,
    input,
    roots,
    cancellation: deadline,
    onProgress: (progress) => {
      deadline.extend();
      onProgress?.(progress);
    },
    ask: async (question) => {
      try {
        return await deadline.without(ask(question));
      } catch (error) {
        if (error instanceof PlaybookError && error.code === 'tools/undeclared') deadline.refuse(error);
        throw error;
      }
    },
  };
}

function nobodyToAsk({ method }: Question): Promise<never> {
  const message = `The tool asks for ${method}, and there is nobody here to ask.`;
  return Promise.reject(new PlaybookError('tools/undeclared', message));
}
