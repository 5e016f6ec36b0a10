import type { Config, Env } from '../config/index.ts';
import type { LearnedQueries } from '../search/learned.ts';
import type { Log } from '../tools/log.ts';
import { learnFromUse, type Lesson } from '../usage/learn-from-use.ts';
import { isRecording, type UsagePlace, usagePlaceOf } from '../usage/place.ts';
import { threadFile } from './package-root.ts';

/** Agents of one team do not turn to other words within an hour, and reading a large store takes seconds of somebody's database. */
const EVERY_MS = 60 * 60_000;
/** An agent thinks for some seconds before its first search; what comes sooner has the processor to itself. */
const FIRST_MS = 3_000;
/** A hundred agents that were started at once must not all ask their database at once. */
const JITTER = 0.2;

export interface LearningOptions {
  /** As it is now: the configuration is followed. */
  readonly config: () => Config;
  readonly env: Env;
  readonly log: Log;
}

/** What search has learned of recorded use. Nothing of it is waited for by a call, and nothing that fails in it fails a search. */
export class Learning {
  readonly #options: LearningOptions;
  #learned: LearnedQueries | undefined;
  /** Where that is from; undefined where nothing is to be learned. */
  #from: UsagePlace | undefined;
  #lesson: Lesson | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isFollowing = false;
  #isClosed = false;
  #toldProblem = false;

  constructor(options: LearningOptions) {
    this.#options = options;
  }

  /** Undefined where nothing was learned yet, or nothing is to be. */
  get learned(): LearnedQueries | undefined {
    return this.#learned;
  }

  /** Learns soon and about every hour, until `close`. */
  follow(): void {
    if (this.#isClosed) return;
    this.#isFollowing = true;
    this.#learnIn(FIRST_MS);
  }

  /** Learns now; what was learned before stays in use until then. Never rejects. */
  async learn(): Promise<void> {
    clearTimeout(this.#timer);
    this.#from = placeToLearnFrom(this.#options.config(), this.#options.env);
    const before = this.#lesson;
    this.#lesson = undefined;
    await before?.end();
    if (this.#from === undefined) this.#learned = undefined;
    if (this.#from === undefined || this.#isClosed) return;
    const lesson = learnFromUse(threadFile('usage-learner'), { place: this.#from, now: Date.now() });
    this.#lesson = lesson;
    const answer = await lesson.learned;
    // Another one has begun, or the end.
    if (this.#lesson !== lesson) return;
    if (answer.kind === 'learned') this.#learned = answer.queries;
    else this.#tell(answer.problem);
    this.#learnIn(EVERY_MS * (1 - JITTER + 2 * JITTER * Math.random()));
  }

  /** Takes over the configuration as it is now. */
  reconfigure(): void {
    const place = placeToLearnFrom(this.#options.config(), this.#options.env);
    if (JSON.stringify(place) === JSON.stringify(this.#from)) return;
    this.#learned = undefined;
    if (this.#isFollowing) void this.learn();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isFollowing = false;
    this.#isClosed = true;
    const lesson = this.#lesson;
    this.#lesson = undefined;
    await lesson?.end();
  }

  #learnIn(pauseMs: number): void {
    if (this.#isFollowing) this.#timer = setTimeout(() => void this.learn(), pauseMs).unref();
  }

  #tell(problem: string): void {
    const level = this.#toldProblem ? 'debug' : 'warn';
    this.#toldProblem = true;
    this.#options.log(level, `Search does not learn from use: ${problem}.`, {});
  }
}

/** Words that are not kept as words teach nothing. */
function placeToLearnFrom(config: Config, env: Env): UsagePlace | undefined {
  const isOn = config.search.learn && config.usage.queries === 'text' && isRecording(config, env);
  return isOn ? usagePlaceOf(config, env) : undefined;
}
