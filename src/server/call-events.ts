import { resolveAddress } from '../catalog/lookup.ts';
import { PlaybookError } from '../errors.ts';
import { type Entry, isJsonObject, type JsonObject } from '../model.ts';
import type { CallRecord } from '../usage/call-record.ts';
import type { UsageEvent } from '../usage/event.ts';
import { newEventId } from '../usage/event-id.ts';
import type { UsageSession } from '../usage/sessions.ts';
import type { Answer } from './input-rounds.ts';
import type { ToolName } from './mcp-server.ts';
import type { Snapshot } from './snapshot.ts';
import { parseGetSchemaArguments } from './tool-arguments.ts';

/** A call that is over. */
export interface FinishedCall {
  readonly operation: ToolName | 'prompt' | 'resource';
  /** Arguments of the tool as they were sent; `id` of the playbook for a prompt or resource that is one. */
  readonly given: unknown;
  /** Undefined where it ended with a protocol error or a bug of ours. */
  readonly answer: Answer | JsonObject | undefined;
  /** Code of the error that it ended with, where that is not in the answer. */
  readonly code: string | undefined;
  /** When it came, milliseconds since 1970. */
  readonly time: number;
  readonly ms: number;
  readonly client: string | null;
  /** `traceparent` of the caller. */
  readonly traceparent: unknown;
  readonly session: UsageSession;
  /** Who called, where callers are authenticated. */
  readonly user?: string;
}

/** What surrounded it. */
export interface CallSurroundings {
  /** Undefined where the call named a workspace that there is not. */
  readonly snapshot: Snapshot | undefined;
  readonly repo: string | null;
  readonly user: string | null;
}

type Event = CallRecord['events'][number];

/** Ids that mean nothing are kept as they were asked for, but an agent may send a whole text as one. */
const LONGEST_UNKNOWN_ID = 200;

/** Where an id ends that an agent has written as a call or an address: `deploy(token: …)`, `deploy {"token": …}`, `playbook://deploy?token=…`. */
const ARGUMENTS = /[({[<?&="'`\n].*$/su;

/** The events of a call: none for one that has only asked its client something, and will come back. */
export function toCallRecord(call: FinishedCall, around: CallSurroundings): CallRecord {
  const { answer } = call;
  if (isJsonObject(answer) && answer['resultType'] === 'input_required') return { events: [], texts: [] };
  return { events: eventsOf(call, around), texts: textsOf(answer) };
}

function eventsOf(call: FinishedCall, around: CallSurroundings): readonly Event[] {
  const end = endOf(call);
  switch (call.operation) {
    case 'search':
      return [searchEvent(call, end, around)];
    case 'get_schema':
      return schemaEvents(call, end, around);
    case 'execute':
    case 'prompt':
    case 'resource': {
      const id = isJsonObject(call.given) ? call.given['id'] : undefined;
      return [toEvent(call, around, { ...end, about: entryFields(id, call, around) })];
    }
  }
}

/** How a call ended, and what an event of it is about. */
interface Particulars extends Pick<Event, 'outcome' | 'code'> {
  readonly about: EntryFields;
  /** For a search. */
  readonly shown?: Event['shown'];
  /** Where it is not the first event of the call, which carries its latency. */
  readonly isFurther?: boolean;
}

function endOf(call: FinishedCall): Pick<Event, 'outcome' | 'code'> {
  const { answer } = call;
  const isError = !isJsonObject(answer) || answer['isError'] === true;
  const code = codeOf(call);
  return { outcome: isError ? 'error' : 'ok', code: typeof code === 'string' ? code : null };
}

/** Each property by name: an object that is made by spreads is slow to make, and slower to hand to a thread. */
function toEvent(call: FinishedCall, { repo, user }: CallSurroundings, particulars: Particulars): Event {
  const { outcome, code, about, shown = null, isFurther = false } = particulars;
  return {
    id: newEventId(call.time),
    time: call.time,
    session: call.session.id,
    client: call.client,
    user: call.user ?? user,
    repo,
    operation: call.operation,
    entry: about.entry,
    kind: about.kind,
    source: about.source,
    digest: about.digest,
    outcome,
    code,
    ms: isFurther ? 0 : Math.round(call.ms * 100) / 100,
    rank: about.rank,
    query: about.query,
    shown,
    trace: traceIdIn(call.traceparent),
  };
}

function searchEvent(call: FinishedCall, end: Pick<Event, 'outcome' | 'code'>, around: CallSurroundings): Event {
  const { answer, given, session } = call;
  const meta = metaOf(answer);
  const hits = meta['playbook-mcp/hits'];
  const offset = meta['playbook-mcp/offset'];
  const shown = (Array.isArray(hits) ? hits : []).flatMap((hit: unknown) =>
    isJsonObject(hit) && typeof hit['id'] === 'string' ? [qualified(hit['id'], around)] : [],
  );
  const words = isJsonObject(given) && typeof given['query'] === 'string' ? given['query'].trim() : '';
  const query = words === '' ? null : words;
  session.noteShown(shown, { query, first: 1 + (typeof offset === 'number' ? offset : 0) });
  const outcome = end.outcome === 'ok' && shown.length === 0 ? 'empty' : end.outcome;
  return toEvent(call, around, { outcome, code: end.code, about: { ...NOTHING, query }, shown });
}

/** One event an id; where the call as a whole was refused, one that names none. */
function schemaEvents(
  call: FinishedCall,
  end: Pick<Event, 'outcome' | 'code'>,
  around: CallSurroundings,
): readonly Event[] {
  if (end.code === 'tools/invalid-arguments') return [toEvent(call, around, { ...end, about: NOTHING })];
  const ids = [...new Set(parseGetSchemaArguments(call.given).ids)];
  return ids.map((id, index) => {
    const about = entryFields(id, call, around);
    const failed = about.kind === null ? { outcome: 'error' as const, code: end.code ?? 'catalog/unknown-id' } : end;
    return toEvent(call, around, { ...failed, about, isFurther: index > 0 });
  });
}

type EntryFields = Pick<UsageEvent, 'entry' | 'kind' | 'source' | 'digest' | 'rank' | 'query'>;

const NOTHING: EntryFields = { entry: null, kind: null, source: null, digest: null, rank: null, query: null };

function entryFields(id: unknown, { session, answer, code }: FinishedCall, around: CallSurroundings): EntryFields {
  if (typeof id !== 'string') return NOTHING;
  // Looking for the closest ids, as an unknown one makes us, is done once a call.
  const isUnknown = codeOf({ answer, code }) === 'catalog/unknown-id';
  const entry = isUnknown ? undefined : entryAt(id, around);
  if (entry === undefined) return { ...NOTHING, entry: askedFor(id) };
  const key = keyOf(entry);
  const { rank, query } = session.findingOf(key) ?? { rank: null, query: null };
  const source = entry.kind === 'playbook' ? entry.playbook.source.name : entry.tool.server;
  return { entry: key, kind: entry.kind, source, digest: entry.digest, rank, query };
}

/** An id that means nothing, without what may be arguments. */
function askedFor(id: string): string | null {
  const asked = id.replace(ARGUMENTS, '').trim().slice(0, LONGEST_UNKNOWN_ID);
  return asked === '' ? null : asked;
}

function entryAt(id: string, { snapshot }: CallSurroundings): Entry | undefined {
  if (snapshot === undefined) return undefined;
  try {
    return resolveAddress(snapshot.catalog, id).entry;
  } catch (error) {
    if (error instanceof PlaybookError) return undefined;
    throw error;
  }
}

function qualified(id: string, { snapshot }: CallSurroundings): string {
  const entry = snapshot?.catalog.byId.get(id);
  return entry === undefined ? id : keyOf(entry);
}

/** The id of an entry in the store, the same in every catalog. */
export function keyOf(entry: Entry): string {
  return entry.kind === 'playbook' ? entry.qualifiedId : entry.id;
}

function codeOf({ answer, code }: Pick<FinishedCall, 'answer' | 'code'>): unknown {
  return code ?? metaOf(answer)['playbook-mcp/error'];
}

function metaOf(answer: FinishedCall['answer']): JsonObject {
  const meta: unknown = answer?.['_meta'];
  return isJsonObject(meta) ? meta : {};
}

/** What a model reads of an answer: its texts, and structured content where there is no text. */
function textsOf(answer: FinishedCall['answer']): readonly string[] {
  if (!isJsonObject(answer)) return [];
  const blocks: unknown = answer['content'] ?? answer['contents'] ?? answer['messages'];
  const texts = (Array.isArray(blocks) ? blocks : []).flatMap((block: unknown) => textOf(contentOf(block)));
  const structured: unknown = answer['structuredContent'];
  return texts.length > 0 || structured === undefined ? texts : [JSON.stringify(structured)];
}

/** A message of a prompt has its block within; a block has no object of that name. */
function contentOf(block: unknown): unknown {
  return isJsonObject(block) && isJsonObject(block['content']) ? block['content'] : block;
}

function textOf(block: unknown): readonly string[] {
  if (!isJsonObject(block)) return [];
  if (typeof block['text'] === 'string') return [block['text']];
  const { resource } = block;
  return isJsonObject(resource) && typeof resource['text'] === 'string' ? [resource['text']] : [];
}

/** @see https://www.w3.org/TR/trace-context/#traceparent-header-field-values */
function traceIdIn(traceparent: unknown): string | null {
  if (typeof traceparent !== 'string') return null;
  return /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(traceparent)?.[1] ?? null;
}
