import { userInfo } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Catalog } from '../catalog/catalog.ts';
import type { Config, Env } from '../config/index.ts';
import { messageOf, PlaybookError } from '../errors.ts';
import { repositoryNameOf } from '../files/repository-name.ts';
import type { Workspace } from '../files/workspace.ts';
import { BUILT_IN } from '../tools/built-in.ts';
import type { Log } from '../tools/log.ts';
import type { SeenEntry, StepReport } from '../usage/event.ts';
import { usageKey } from '../usage/usage-key.ts';
import { isRecording, placeText, type UsagePlace, usagePlaceOf } from '../usage/place.ts';
import { UsageWriter } from '../usage/usage-writer.ts';
import { type CallSurroundings, type FinishedCall, keyOf, toCallRecord } from './call-events.ts';
import { threadFile } from './package-root.ts';
import type { Snapshot } from './snapshot.ts';
import { DAY_MS } from '../usage/day.ts';

/** Entries told to the worker at once: handing over thousands would hold up a search. */
const ENTRIES_AT_ONCE = 200;
/** How long calls that are over gather. Each recorded by itself, amid the next call, takes four times as long (measured). */
const GATHER_MS = 25;

export interface UsageOptions {
  /** As it is now: the configuration is followed. */
  readonly config: () => Config;
  readonly env: Env;
  readonly log: Log;
}

/** A report before it is known whose it is: the process’s, unless the caller has authenticated. */
type GivenStepReport = Omit<StepReport, 'user' | 'repo'> & Partial<Pick<StepReport, 'user'>>;

/** What the configuration says of recording: found once, since every call asks for it. */
interface Settings {
  readonly of: Config['usage'];
  readonly isOn: boolean;
  readonly place: UsagePlace;
  /** Who runs this process; null in a file of one's own, where it would say nothing. */
  readonly user: string | null;
}

/** Records calls when they are over. Nothing of it is waited for by a call, and nothing that fails in it fails a call. */
export class Usage {
  readonly #options: UsageOptions;
  #settings: Settings | undefined;
  #writer: { readonly writer: UsageWriter; readonly of: Config['usage'] } | undefined;
  /** Calls that are over, oldest first: a search is noted before what it led to. */
  #finished: { readonly call: FinishedCall; readonly seen: () => Promise<Snapshot> }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #recording = Promise.resolve();
  readonly #repositories = new Map<string, Promise<string>>();
  #noted = new WeakMap<Catalog, number>();
  readonly #notedEntries = new Map<string, number>();
  #isClosed = false;

  constructor(options: UsageOptions) {
    this.#options = options;
  }

  get isOn(): boolean {
    return !this.#isClosed && this.#settingsNow().isOn;
  }

  /** Records a call. @param seen gives what the call saw */
  record(call: FinishedCall, seen: () => Promise<Snapshot>): void {
    this.#finished.push({ call, seen });
    this.#timer ??= setTimeout(() => void this.#recordFinished(), GATHER_MS).unref();
  }

  /**
   * Stores a report. @returns where it went, in words.
   * @throws PlaybookError `usage/off`, `usage/unavailable`.
   */
  async report(report: GivenStepReport, workspace: Workspace | undefined): Promise<string> {
    if (!this.isOn) {
      throw new PlaybookError('usage/off', 'The report was not stored: recording of usage is turned off here.', {
        hint: 'Tell the person whom you work for what is wrong instead.',
      });
    }
    const repo = await this.repositoryOf(workspace);
    const { user, place } = this.#settingsNow();
    await this.#writerNow().report({ user, ...report, repo });
    return placeText(place);
  }

  /** The repository of a workspace, as events name it. */
  async repositoryOf(workspace: Workspace | undefined): Promise<string | null> {
    if (workspace === undefined) return null;
    const name = this.#repositories.get(workspace.root) ?? repositoryNameOf(workspace);
    this.#repositories.set(workspace.root, name);
    return name;
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    await this.#recordFinished();
    this.#isClosed = true;
    await this.#writer?.writer.close();
  }

  /** Records what has ended, in its order. Never rejects. */
  #recordFinished(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#recording = this.#recordAfter(this.#recording);
    return this.#recording;
  }

  async #recordAfter(earlier: Promise<void>): Promise<void> {
    await earlier;
    for (const { call, seen } of this.#finished.splice(0)) {
      try {
        await this.#record(call, seen);
      } catch (error) {
        this.#options.log('warn', `A call was not recorded: ${messageOf(error)}`, {});
      }
    }
  }

  async #record(call: FinishedCall, seen: () => Promise<Snapshot>): Promise<void> {
    if (!this.isOn) return;
    const snapshot = await seen().catch((error: unknown) => {
      // The workspace that it named: the call was answered with the same.
      if (error instanceof PlaybookError) return undefined;
      throw error;
    });
    const repo = await this.repositoryOf(snapshot?.workspace);
    const around: CallSurroundings = { snapshot, repo, user: this.#settingsNow().user };
    const record = toCallRecord(call, around);
    if (record.events.length > 0) this.#writerNow().record(record);
    if (snapshot !== undefined) await this.#note(snapshot, { repo, now: call.time });
  }

  /** Tells the store what there is to use, once for each state of the catalog and once a day. */
  async #note(
    { catalog }: Snapshot,
    { repo, now }: { readonly repo: string | null; readonly now: number },
  ): Promise<void> {
    if (now - (this.#noted.get(catalog) ?? -Infinity) < DAY_MS) return;
    this.#noted.set(catalog, now);
    let some: SeenEntry[] = [];
    for (const entry of catalog.entries) {
      const source = entry.kind === 'playbook' ? entry.playbook.source.name : entry.tool.server;
      if (source === BUILT_IN) continue;
      const place = { entry: keyOf(entry), source, repo: source === 'workspace' ? repo : null };
      const key = usageKey(place);
      if (now - (this.#notedEntries.get(key) ?? -Infinity) < DAY_MS) continue;
      this.#notedEntries.set(key, now);
      some.push({ ...place, kind: entry.kind, firstSeen: now, lastSeen: now });
      if (some.length < ENTRIES_AT_ONCE) continue;
      this.#writerNow().note(some);
      some = [];
      await nextTurn();
    }
    if (some.length > 0) this.#writerNow().note(some);
  }

  /** The writer of the configuration as it is now. */
  #writerNow(): UsageWriter {
    const { usage } = this.#options.config();
    if (this.#writer !== undefined && (this.#writer.of === usage || isDeepStrictEqual(this.#writer.of, usage))) {
      return this.#writer.writer;
    }
    void this.#writer?.writer.close();
    this.#noted = new WeakMap();
    this.#notedEntries.clear();
    const writer = new UsageWriter({
      place: this.#settingsNow().place,
      queries: usage.queries,
      retentionDays: usage.retentionDays,
      workerFile: threadFile('usage-worker'),
      log: this.#options.log,
    });
    this.#writer = { writer, of: usage };
    return writer;
  }

  #settingsNow(): Settings {
    const { config, env } = this.#options;
    const now = config();
    if (this.#settings?.of === now.usage) return this.#settings;
    const place = usagePlaceOf(now, env);
    const user = place.kind === 'sqlite' ? null : systemUser();
    this.#settings = { of: now.usage, isOn: isRecording(now, env), place, user };
    return this.#settings;
  }
}

function systemUser(): string | null {
  try {
    return userInfo().username;
  } catch (error) {
    // A container may run as a user that its system does not know.
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}
