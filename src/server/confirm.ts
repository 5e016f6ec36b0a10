import type { ConfirmPolicy } from '../config/index.ts';
import { PlaybookError } from '../errors.ts';
import type { JsonObject, ToolEntry } from '../model.ts';
import type { Question } from '../tools/provider.ts';
import { isDestructive, mustConfirm } from '../tools/risks.ts';
import { CONFIRM_MINUTES, type CodeVerdict, type ConfirmCodes, type ConfirmedCall } from './confirm-codes.ts';
import type { Caller } from './mcp-server.ts';

const LONGEST_SHOWN = 2_000;

/** A call of a wrapped tool that is about to be made. */
export interface PendingCall {
  readonly entry: ToolEntry;
  readonly arguments: JsonObject;
  /** The code that an earlier refusal handed out, as the agent gives it. */
  readonly confirm: string | undefined;
  readonly caller: Caller;
}

export interface ConfirmOptions {
  readonly policy: ConfirmPolicy;
  readonly codes: ConfirmCodes;
}

/**
 * Sees to it that a call is confirmed where its server's policy asks for that: by the person, where the client can ask one,
 * else by the call made again with a code. A later round of a call was confirmed in the first.
 *
 * @throws PlaybookError `tools/unconfirmed` with a code, `tools/declined`; as `AskClient.ask`.
 */
export async function confirmCall(call: PendingCall, { policy, codes }: ConfirmOptions): Promise<void> {
  if (!mustConfirm(call.entry.tool, policy) || call.caller.input !== undefined) return;
  const question = questionOf(call);
  if (call.caller.lacks(question) !== undefined) {
    await askAgent(call, codes);
    return;
  }
  const { action } = await call.caller.ask(question);
  if (action === 'accept') return;
  const what = action === 'decline' ? 'declined the call' : 'closed the question without an answer';
  throw new PlaybookError('tools/declined', `${call.entry.id} was not executed: the person ${what}.`, {
    hint: 'Do not call it again for this, unless they ask for it; tell them what is not done.',
  });
}

/** No field to fill in: to accept is to confirm. */
function questionOf(call: PendingCall): Question {
  const message = `Run ${call.entry.id}? It ${effectOf(call)}. Arguments: ${shown(call.arguments)}`;
  return { method: 'elicitation/create', params: { message, requestedSchema: { type: 'object', properties: {} } } };
}

async function askAgent(call: PendingCall, codes: ConfirmCodes): Promise<void> {
  const confirmed = toConfirmed(call);
  const verdict = call.confirm === undefined ? undefined : await codes.redeem(call.confirm, confirmed);
  if (verdict === 'good') return;
  const why = verdict === undefined ? '' : ` ${faultOf(verdict)}`;
  throw new PlaybookError(
    'tools/unconfirmed',
    `${call.entry.id} was not executed: it ${effectOf(call)}, and such calls must be confirmed.${why} It would run with: ${shown(call.arguments)}`,
    {
      hint: `If this is what the person wants (ask, where you are not sure), execute it again with the same arguments and "confirm": "${codes.issue(confirmed)}". The code is good once, for exactly these arguments, for ${CONFIRM_MINUTES} minutes.`,
    },
  );
}

function faultOf(verdict: Exclude<CodeVerdict, 'good'>): string {
  switch (verdict) {
    case 'expired':
      return 'The code given has expired.';
    case 'spent':
      return 'The code given was used before; each is good once.';
    case 'foreign':
      return 'The code given is not one for this call with these arguments.';
  }
}

function effectOf({ entry }: PendingCall): string {
  return isDestructive(entry.tool) ? 'may destroy or overwrite something' : 'may change something';
}

function toConfirmed({ entry, arguments: given, caller }: PendingCall): ConfirmedCall {
  return { id: entry.id, arguments: given, caller: caller.identity() };
}

function shown(given: JsonObject): string {
  const text = JSON.stringify(given);
  if (text.length <= LONGEST_SHOWN) return text;
  return `${text.slice(0, LONGEST_SHOWN).replace(/[\uD800-\uDBFF]$/, '')}… (${text.length - LONGEST_SHOWN} more characters)`;
}
