import { randomBytes } from 'node:crypto';
import {
  type CallToolResult,
  createRequestStateCodec,
  type InputRequiredResult,
  isInputRequiredResult,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { PlaybookError } from '../errors.ts';
import type { JsonObject } from '../model.ts';
import { digestOf } from '../tools/json.ts';
import type { GivenInput, Question } from '../tools/provider.ts';
import { ANSWER_MS, askLive, type AskClient, refuseIfLacking } from './ask-client.ts';
import { failure } from './failure.ts';
import { HeldCall, type Leg } from './held-call.ts';

/** What one call may end with: for a client of 2025, the SDK turns the second into live requests. */
export type Answer = CallToolResult | InputRequiredResult;

/** The part of a caller that depends on the round. */
interface RoundCaller extends Leg, AskClient {
  readonly input: GivenInput | undefined;
}

/** What the signed state of a round tells when it comes back. */
const stateSchema = z.object({
  /** Digest of the call that it was made for: state of one call continues no other. */
  of: z.string(),
  /** The held call that waits for the answers. */
  held: z.string().optional(),
  /** The upstream's own state. */
  upstream: z.string().optional(),
});

interface Round {
  readonly context: ServerContext;
  /** Name and arguments of the call, which must be the same in every round. */
  readonly call: JsonObject;
  readonly onProgress: Leg['onProgress'];
  /** What the client has declared. */
  readonly lacks: AskClient['lacks'];
  readonly canBeAsked: boolean;
  readonly run: (caller: RoundCaller) => Promise<Answer>;
}

export interface InputRoundsOptions {
  readonly era: McpRequestContext['era'];
  /** Whether this instance lives as long as the client's connection: only then can a call wait for the client's next one. */
  readonly holdsCalls: boolean;
  /** Has a listener told which request the client cancels, after its answer too; undefined where no call is held. */
  readonly onCancelled?: ((listener: (request: RequestId) => void) => void) | undefined;
  /** What signs the states; see `McpServerOptions.stateKey`. */
  readonly stateKey?: Uint8Array;
}

/** Calls that need something of the client on the way, round by round. */
export class InputRounds {
  readonly #options: InputRoundsOptions;
  #codec: RequestStateCodec | undefined;
  readonly #held = new Map<string, Waiting>();

  constructor(options: InputRoundsOptions) {
    this.#options = options;
    options.onCancelled?.((request) => this.#giveUp(request));
  }

  /** The content of a state that was signed for this caller. @throws where it was not, or too long ago. */
  async verify(state: string, context: ServerContext): Promise<unknown> {
    return this.#states().verify(state, context);
  }

  /** Runs one round of a call. @throws ProtocolError for state that belongs to another call. */
  async run(round: Round): Promise<Answer> {
    const { context, call } = round;
    const given = context.mcpReq.requestState();
    const state = given === undefined ? undefined : stateSchema.safeParse(given).data;
    if (state !== undefined && state.of !== digestOf(call)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The requestState belongs to another call.');
    }
    const responses: JsonObject = context.mcpReq.inputResponses ?? {};
    if (state?.held !== undefined) {
      const held = this.#held.get(state.held)?.call;
      this.#held.delete(state.held);
      return this.#continue({ round, held, responses });
    }
    const input = state && { responses, ...(state.upstream !== undefined && { state: state.upstream }) };
    if (this.#options.era === 'modern' && this.#options.holdsCalls && round.canBeAsked) {
      const held = new HeldCall<Answer>(
        (client) => round.run({ ...client, ...checked(round, client.ask), input }),
        (id) => this.#held.delete(id),
      );
      return this.#continue({ round, held, responses: {} });
    }
    const questions = new LiveQuestions();
    try {
      const answer = await round.run({ ...this.#directly(round, questions), input });
      return isInputRequiredResult(answer) ? await this.#seal(round, answer) : answer;
    } finally {
      questions.end();
    }
  }

  /** Cancels every call that waits for its client. */
  close(): void {
    for (const { call } of this.#held.values()) call.close();
    this.#held.clear();
  }

  /** A cancellation that crosses the answer on its way: whoever sent it takes no notice of the answer, and never comes back. */
  #giveUp(cancelled: RequestId): void {
    for (const { call, request } of this.#held.values()) if (request === cancelled) call.close();
  }

  /** Made when it is needed: most calls ask nothing, and over HTTP each has an instance of its own. */
  #states(): RequestStateCodec {
    this.#codec ??= createRequestStateCodec({
      key: this.#options.stateKey ?? randomBytes(32),
      ttlSeconds: ANSWER_MS / 1000,
      bind: ({ http }) => http?.authInfo?.clientId ?? '',
    });
    return this.#codec;
  }

  async #continue({ round, held, responses }: Continued): Promise<Answer> {
    if (held === undefined) {
      return failure(
        new PlaybookError('tools/unanswered', 'The call that asked this is not waiting any more.', {
          hint: 'It may have happened in part: look before you call again.',
        }),
      );
    }
    const { context, call, onProgress } = round;
    const { signal } = context.mcpReq;
    const end = await held.next({ signal, onProgress }, responses);
    if (end.kind === 'result') return isInputRequiredResult(end.result) ? this.#seal(round, end.result) : end.result;
    if (!signal.aborted) this.#held.set(held.id, { call: held, request: context.mcpReq.id });
    return inputRequired(end.questions, await this.#states().mint({ of: digestOf(call), held: held.id }, context));
  }

  /** Signs the state that an upstream's own `input_required` brings, which the client sends back with the answers. */
  async #seal({ call, context }: Round, answer: InputRequiredResult): Promise<Answer> {
    const { requestState: upstream } = answer;
    return {
      ...answer,
      requestState: await this.#states().mint(
        { of: digestOf(call), ...(upstream !== undefined && { upstream }) },
        context,
      ),
    };
  }

  /** What a call asks while it runs, and no longer, where the client can be asked live, or not at all. */
  #directly({ context, onProgress, lacks }: Round, questions: LiveQuestions): Leg & AskClient {
    const ask: AskClient['ask'] = async (question) => {
      refuseIfLacking(question, { lacks });
      if (this.#options.era === 'legacy') return questions.ask(context, question);
      throw new PlaybookError(
        'tools/unanswered',
        'The tool asks something while it runs, which works over stdio only.',
        {
          hint: 'Use playbook-mcp over stdio for this tool.',
        },
      );
    };
    return { signal: context.mcpReq.signal, onProgress, lacks, ask };
  }
}

/**
 * What a call asks while it runs. A question may be another call's, whose server does not say so; so that nobody waits for the answer
 * when the call is over, each is taken back then.
 */
class LiveQuestions {
  /** Made by the first question: most calls ask nothing, and a signal costs as much as finding their tool. */
  #over: AbortController | undefined;
  #isOver = false;

  async ask(context: ServerContext, question: Question): Promise<JsonObject> {
    if (this.#isOver) throw overError();
    this.#over ??= new AbortController();
    return askLive(context, question, this.#over.signal);
  }

  end(): void {
    this.#isOver = true;
    this.#over?.abort(overError());
  }
}

function overError(): Error {
  return new Error('the call that asked this is over');
}

/** A held call between two legs. */
interface Waiting {
  readonly call: HeldCall<Answer>;
  /** The request that was answered with its questions. */
  readonly request: RequestId;
}

interface Continued {
  readonly round: Round;
  /** Undefined where it has ended since. */
  readonly held: HeldCall<Answer> | undefined;
  readonly responses: JsonObject;
}

/** Asks only what the client has declared that it can be asked. */
function checked({ lacks }: Round, ask: AskClient['ask']): AskClient {
  return {
    lacks,
    ask: async (question) => {
      refuseIfLacking(question, { lacks });
      return ask(question);
    },
  };
}

function inputRequired(inputRequests: Readonly<Record<string, Question>>, requestState: string): InputRequiredResult {
  const result: unknown = { resultType: 'input_required', inputRequests, requestState };
  if (!isInputRequiredResult(result)) throw new Error('not a result that asks for input');
  return result;
}
