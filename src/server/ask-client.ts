import type { ServerContext, StandardSchemaV1 } from '@modelcontextprotocol/server';
import { PlaybookError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../model.ts';
import type { Question } from '../tools/provider.ts';

/** People answer; this is how long they may take. */
export const ANSWER_MS = 10 * 60 * 1000;

/** How to ask the client of a call something, whichever era it is of. */
export interface AskClient {
  /** The capability that the client would have to declare for this question, such as `elicitation.url`; undefined where it has. */
  readonly lacks: (question: Question) => string | undefined;
  /**
   * Asks, and gives the answer as the protocol defines it (`{action, content?}` of an elicitation, a message of a sampling).
   *
   * A client of the 2025 era gets a live request. One of 2026-07-28 gets an `input_required` result while whoever asks goes on
   * waiting here; the client's next call brings the answer. So the caller need not care, but for this: more than 10 minutes are
   * not waited, and over HTTP a client of 2026-07-28 cannot be asked.
   * @throws PlaybookError `tools/undeclared`, `tools/unanswered`; an error of the protocol where the client answers with one.
   */
  readonly ask: (question: Question) => Promise<JsonObject>;
}

/**
 * The capability that is missing for a question; a bare `elicitation: {}` means forms, as it did before there were modes.
 *
 * @param declared the client's capabilities.
 */
export function lackOf({ method, params }: Question, declared: JsonObject): string | undefined {
  const [needed, mode] = method === 'sampling/createMessage' ? samplingFor(params) : elicitationFor(params);
  const capability = declared[needed];
  if (!isJsonObject(capability)) return needed;
  const isImplied = mode === undefined || (mode === 'form' && capability['url'] === undefined);
  return isImplied || capability[mode] !== undefined ? undefined : `${needed}.${mode}`;
}

/** Whether there is anything that such a client can be asked. */
export function canBeAsked(declared: JsonObject): boolean {
  return isJsonObject(declared['elicitation']) || isJsonObject(declared['sampling']);
}

function samplingFor(params: JsonObject): readonly [string, string?] {
  return params['tools'] === undefined && params['toolChoice'] === undefined ? ['sampling'] : ['sampling', 'tools'];
}

function elicitationFor(params: JsonObject): readonly [string, string] {
  return ['elicitation', params['mode'] === 'url' ? 'url' : 'form'];
}

/** @throws PlaybookError `tools/undeclared` where the client cannot be asked this. */
export function refuseIfLacking(question: Question, { lacks }: Pick<AskClient, 'lacks'>): void {
  const lacking = lacks(question);
  if (lacking === undefined) return;
  const [what, hint] =
    question.method === 'elicitation/create'
      ? ['ask the person something', 'Ask the person yourself']
      : ['have a text written by your model', 'Do that part yourself'];
  throw new PlaybookError(
    'tools/undeclared',
    `The tool needs to ${what}, but this client does not declare the capability \`${lacking}\`.`,
    { hint: `${hint} and call a tool that needs no such question, or use a client that declares \`${lacking}\`.` },
  );
}

/** Asks a client of the 2025 era while its call is running; takes the question back when that is cancelled, or over. */
export async function askLive({ mcpReq }: ServerContext, question: Question, over: AbortSignal): Promise<JsonObject> {
  const { method, params } = question;
  const signal = AbortSignal.any([mcpReq.signal, over]);
  return mcpReq.send({ method, params: { ...params } }, anyObject, { timeout: ANSWER_MS, signal });
}

/** The answer is the upstream's to check: it knows what it asked for. */
const anyObject: StandardSchemaV1<unknown, JsonObject> = {
  '~standard': {
    version: 1,
    vendor: 'playbook-mcp',
    validate: (value) => (isJsonObject(value) ? { value } : { issues: [{ message: 'the answer is not an object' }] }),
  },
};
