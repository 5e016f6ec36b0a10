import * as z from 'zod';
import type { Config } from '../config/index.ts';
import { messageOf } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../model.ts';
import { digestOf } from '../tools/json.ts';
import { keptQuery, withoutNul } from './call-record.ts';
import { type SeenEntry, seenEntry, type StepReport, stepReport, type UsageEvent, usageEvent } from './event.ts';
import { UsageSessions } from './sessions.ts';

/** One line of an export, told apart by `type`. */
export type UsageLine =
  | ({ readonly type: 'event' } & UsageEvent)
  | ({ readonly type: 'entry' } & SeenEntry)
  | ({ readonly type: 'report' } & StepReport);

/** The JSON text of a line. Control characters are escaped, also those that JSON would let through: a line may go to a terminal. */
export function toJsonLine(line: UsageLine): string {
  return JSON.stringify(line).replace(
    /[\u007F-\u009F]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** What one line of an import says. */
export type ReadLine =
  | { readonly kind: 'event'; readonly event: UsageEvent; readonly ignored: readonly string[] }
  | { readonly kind: 'entry'; readonly entry: SeenEntry; readonly ignored: readonly string[] }
  | { readonly kind: 'report'; readonly report: StepReport; readonly ignored: readonly string[] }
  | { readonly kind: 'bad'; readonly problem: string };

/** What is later is counted in microseconds, or is a mistake: weeks without end would be told one by one. */
const LATEST = Date.UTC(2200, 0);
/** Numbers between these are days of the seventies, and every second since 1973. */
const SECONDS = { from: 1e8, to: 1e11 } as const;

/** Milliseconds since 1970, or a date and time as people and loggers write it. */
const moment = z.union([z.int(), z.string()]).transform((written, context) => {
  const time = typeof written === 'number' ? written : Date.parse(written);
  const problem = problemOf(time, typeof written === 'number');
  if (problem === undefined) return time;
  context.addIssue({ code: 'custom', message: problem });
  return z.NEVER;
});

function problemOf(time: number, isNumber: boolean): string | undefined {
  if (!Number.isSafeInteger(time)) return 'expected milliseconds since 1970, or an ISO 8601 time';
  if (isNumber && time >= SECONDS.from && time < SECONDS.to) return 'expected milliseconds since 1970, not seconds';
  return time >= 0 && time < LATEST ? undefined : 'expected milliseconds since 1970, and a time between 1970 and 2200';
}

const givenEvent = z.object({ ...usageEvent.partial().shape, time: moment, operation: usageEvent.shape.operation });
const givenEntry = z.object({
  ...seenEntry.partial().shape,
  entry: seenEntry.shape.entry,
  firstSeen: moment,
  lastSeen: moment.optional(),
});
const givenReport = z.object({
  ...stepReport.partial().shape,
  time: moment,
  entry: stepReport.shape.entry,
  problem: stepReport.shape.problem,
});

/**
 * Reads the lines of an import in their order. What a line leaves out is filled in: an id of its content, so that what is imported
 * twice counts once; the session of a caller with less than 30 minutes between two lines; what the entry's id tells; an outcome.
 */
export class LineParser {
  readonly #queries: Config['usage']['queries'];
  readonly #sessions = new UsageSessions((caller, time) => digestOf([caller, time]).slice(0, 32));

  /** @param queries what is kept of queries, whatever the lines bring. */
  constructor(queries: Config['usage']['queries']) {
    this.#queries = queries;
  }

  read(text: string): ReadLine {
    let given: unknown;
    try {
      given = JSON.parse(text);
    } catch (error) {
      return { kind: 'bad', problem: `not JSON: ${messageOf(error)}` };
    }
    if (!isJsonObject(given)) return { kind: 'bad', problem: 'not a JSON object' };
    const { type = 'event', ...fields } = given;
    switch (type) {
      case 'event':
        return readAs(givenEvent, fields, (known) => ({ kind: 'event', event: this.#toEvent(known, fields) }));
      case 'entry':
        return readAs(givenEntry, fields, (known) => ({ kind: 'entry', entry: toEntry(known) }));
      case 'report':
        return readAs(givenReport, fields, (known) => ({ kind: 'report', report: toReport(known, fields) }));
      default:
        return { kind: 'bad', problem: `type: expected event, entry or report, not ${JSON.stringify(type)}` };
    }
  }

  #toEvent(given: z.output<typeof givenEvent>, fields: JsonObject): UsageEvent {
    const { client = null, user = null, repo = null, entry = null, shown = null, code = null } = given;
    const isEmpty = given.operation === 'search' && shown?.length === 0;
    return {
      id: given.id ?? digestOf(fields),
      time: given.time,
      session: given.session ?? this.#sessions.at(JSON.stringify([client, user, repo]), given.time).id,
      client,
      user,
      repo,
      operation: given.operation,
      entry,
      ...ofEntry(entry, given),
      digest: given.digest ?? null,
      outcome: given.outcome ?? (code !== null ? 'error' : isEmpty ? 'empty' : 'ok'),
      code,
      ms: given.ms ?? 0,
      tokens: given.tokens ?? 0,
      rank: given.rank ?? null,
      query: keptQuery(given.query ?? null, this.#queries),
      shown,
      trace: given.trace ?? null,
    };
  }
}

interface Given {
  readonly kind?: UsageEvent['kind'] | undefined;
  readonly source?: string | null | undefined;
}

/** Kind and source as the id tells them: `source:path` is a playbook's, `server__tool` a tool's. */
function ofEntry(entry: string | null, { kind, source }: Given): Pick<UsageEvent, 'kind' | 'source'> {
  const [, ofPlaybook] = /^([^:]+):./.exec(entry ?? '') ?? [];
  const [, ofTool] = ofPlaybook === undefined ? (/^(.+?)__./.exec(entry ?? '') ?? []) : [];
  const told = ofPlaybook !== undefined ? 'playbook' : ofTool !== undefined ? 'tool' : null;
  return { kind: kind ?? told, source: source ?? ofPlaybook ?? ofTool ?? null };
}

function toEntry({ entry, repo = null, firstSeen, lastSeen, ...given }: z.output<typeof givenEntry>): SeenEntry {
  const { kind, source } = ofEntry(entry, given);
  return {
    entry,
    kind: kind ?? 'playbook',
    source: source ?? '',
    repo,
    firstSeen,
    lastSeen: Math.max(firstSeen, lastSeen ?? firstSeen),
  };
}

function toReport(given: z.output<typeof givenReport>, fields: JsonObject): StepReport {
  return {
    id: given.id ?? digestOf(fields),
    time: given.time,
    entry: given.entry,
    repo: given.repo ?? null,
    // A report about an unknown text is about none that there is now.
    digest: given.digest ?? '',
    step: given.step ?? null,
    problem: given.problem,
    client: given.client ?? null,
    user: given.user ?? null,
  };
}

type Known =
  | { readonly kind: 'event'; readonly event: UsageEvent }
  | { readonly kind: 'entry'; readonly entry: SeenEntry }
  | { readonly kind: 'report'; readonly report: StepReport };

/** Fields that a line has and the store has not are left out: they may well be what must never be stored. */
function readAs<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  fields: JsonObject,
  fill: (known: z.output<z.ZodObject<Shape>>) => Known,
): ReadLine {
  const parsed = schema.safeParse(withoutNuls(fields));
  if (parsed.success) {
    return { ...fill(parsed.data), ignored: Object.keys(fields).filter((key) => !Object.hasOwn(schema.shape, key)) };
  }
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return { kind: 'bad', problem: problems.join('; ') };
}

function withoutNuls(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, typeof value === 'string' ? withoutNul(value) : value]),
  );
}
