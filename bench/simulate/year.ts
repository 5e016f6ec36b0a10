import { buildCatalog, type Catalog } from '../../src/catalog/catalog.ts';
import { search } from '../../src/search/search.ts';
import { buildSegment } from '../../src/search/search-index.ts';
import { documentOf } from '../../src/server/load.ts';
import type { SeenEntry, UsageEvent } from '../../src/usage/event.ts';
import { type Random, randomFrom } from '../plant.ts';
import { pick, poisson, weighted } from './chance.ts';
import type { Habits } from './habits.ts';
import { inventLibrary, type Library, type SimulatedPlaybook, type Task } from './library.ts';
import { CHATTER, ENDINGS, NOUNS } from './words.ts';
import { DAY_MS } from '../../src/usage/day.ts';

const START = Date.UTC(2025, 0, 1);

/** A year of use, and what is true about its library. */
export interface SimulatedYear {
  readonly catalog: Catalog;
  readonly library: Library;
  readonly events: readonly UsageEvent[];
  readonly seen: readonly SeenEntry[];
  readonly now: number;
  /** The missing need that a query asks for; nothing for any other query. */
  readonly missingOf: ReadonlyMap<string, Task>;
}

interface Engineer {
  readonly user: string;
  readonly client: string;
  readonly repo: string;
  readonly domains: readonly string[];
  readonly isSearchOnly: boolean;
}

const CLIENTS = ['claude-code', 'cursor', 'codex'] as const;
/** How likely it is that what is looked at and right is taken. */
const TAKEN = 0.92;
/** The same of what is badly described. */
const TAKEN_OF_BAD = 0.05;
const TAKEN_OF_GREEDY = 0.15;

/** Plays a year; the same seed and habits give the same one. */
export function simulateYear(seed: number, habits: Habits): SimulatedYear {
  return new Year(randomFrom(seed), habits).play();
}

type Draft = Pick<UsageEvent, 'operation'> & Partial<UsageEvent>;

class Year {
  readonly #random: Random;
  readonly #habits: Habits;
  readonly #library: Library;
  readonly #events: UsageEvent[] = [];
  readonly #missingOf = new Map<string, Task>();
  readonly #byId: ReadonlyMap<string, SimulatedPlaybook>;
  readonly #born: ReadonlyMap<string, number>;
  readonly #died: ReadonlyMap<string, number>;
  readonly #rates: ReadonlyMap<string, number>;
  readonly #engineers: readonly Engineer[];
  readonly #ask: (query: string, day: number) => readonly string[];

  constructor(random: Random, habits: Habits) {
    this.#random = random;
    this.#habits = habits;
    this.#library = inventLibrary(random, { count: habits.playbooks, missingCount: habits.missing });
    const { playbooks } = this.#library;
    this.#byId = new Map(playbooks.map((each) => [each.id, each]));
    this.#born = new Map(playbooks.map((each) => [each.id, this.#bornOn(each)]));
    this.#died = new Map(playbooks.flatMap(({ id, fate }) => (fate === 'died' ? [[id, this.#diedOn()] as const] : [])));
    this.#rates = this.#inventRates();
    this.#engineers = this.#hire();
    this.#ask = this.#searcher();
  }

  play(): SimulatedYear {
    const { days, engineers, needsEach, bots, noise, strangers } = this.#habits;
    const { playbooks, missing } = this.#library;
    const jobs = playbooks.filter(({ fate }) => fate === 'used').slice(-bots);
    for (let day = 0; day < days; day += 1) {
      const busy = this.#busyness(day);
      const wanted = this.#wantedOn(day);
      const perDay = (engineers * needsEach) / 260;
      const missed = weighted(missing, () => 1);
      for (let count = poisson(perDay * busy, this.#random); count > 0; count -= 1) {
        // As often as for one playbook of the middle each.
        if (this.#random() < (0.6 * missing.length) / playbooks.length) this.#look(missed(this.#random), day);
        else if (this.#random() < noise / (noise + needsEach)) this.#makeNoise(day);
        else this.#work(wanted(this.#random), day);
      }
      for (const job of jobs) this.#runJob(job, day);
      for (let count = poisson(strangers, this.#random); count > 0; count -= 1) this.#callStranger(day);
    }
    this.#events.sort((a, b) => a.time - b.time);
    const catalog = buildCatalog({ playbooks: playbooks.map(({ playbook }) => playbook), tools: [] });
    return {
      catalog,
      library: this.#library,
      events: this.#events,
      seen: this.#habits.lacks.includes('seen') ? [] : this.#seen(),
      now: START + days * DAY_MS,
      missingOf: this.#missingOf,
    };
  }

  /** Most are there from the beginning. */
  #bornOn({ fate }: SimulatedPlaybook): number {
    const { days } = this.#habits;
    if (fate === 'new') return Math.floor((0.3 + 0.4 * this.#random()) * days);
    if (fate === 'young') return days - Math.floor(10 + 60 * this.#random());
    return 0;
  }

  /** Long enough before the end that its silence counts. */
  #diedOn(): number {
    const { days } = this.#habits;
    return Math.floor(Math.max(10, (days - 105) * (0.3 + 0.7 * this.#random())));
  }

  #inventRates(): ReadonlyMap<string, number> {
    const { playbooks } = this.#library;
    const order = playbooks.map((each) => ({ each, at: this.#random() })).sort((a, b) => a.at - b.at);
    return new Map(
      order.map(({ each: { id, fate, playbook, twin } }, rank) => {
        const zipf = (rank + 1 + 5) ** -this.#habits.zipf;
        // What others refer to its readers is well known; what is badly described is wanted as often as the middle.
        const middle = (0.4 * playbooks.length) ** -this.#habits.zipf;
        if (playbook.references.length > 0) return [id, Math.max(zipf, middle)];
        if (fate === 'copied-unshared' && twin !== undefined) return [id, 0];
        if (['dead', 'retained', 'referenced', 'young', 'seasonal'].includes(fate)) return [id, 0];
        if (['vague', 'misleading', 'failing', 'copied', 'same-use', 'deprecated-used'].includes(fate))
          return [id, Math.max(zipf, middle)];
        return [id, zipf];
      }),
    );
  }

  #hire(): readonly Engineer[] {
    const domains = [...new Set(this.#library.playbooks.map(({ task }) => task.domain))];
    return Array.from({ length: this.#habits.engineers }, (_, at) => ({
      user: `engineer-${at}`,
      client: pick(CLIENTS, this.#random),
      repo: `git.example.com/org/${pick(domains, this.#random)}`,
      domains: [pick(domains, this.#random), pick(domains, this.#random), pick(domains, this.#random)],
      isSearchOnly: this.#random() < this.#habits.searchOnly,
    }));
  }

  #searcher(): (query: string, day: number) => readonly string[] {
    const { playbooks } = this.#library;
    const segment = buildSegment(playbooks.map(({ playbook }) => documentOf(playbook)));
    const deprecated = new Set(playbooks.flatMap(({ id, playbook }) => (playbook.status === 'deprecated' ? [id] : [])));
    const births = [...new Set(this.#born.values())].sort((a, b) => a - b);
    const known = new Map<string, readonly string[]>();
    return (query, day) => {
      const epoch = births.findLast((birth) => birth <= day) ?? 0;
      const key = `${epoch} ${query}`;
      const found =
        known.get(key) ??
        search([segment], query, {
          accept: (id) => (this.#born.get(id) ?? 0) <= epoch,
          weightOf: (id) => (deprecated.has(id) && day > 100 ? 0.5 : 1),
          limit: this.#habits.limit,
        }).hits.map((hit) => hit.key);
      known.set(key, found);
      return found;
    };
  }

  /** Weekends and holidays are quiet; teams grow. */
  #busyness(day: number): number {
    const weekday = (day + 3) % 7;
    const isHighSeason = day % 365 >= 60 && day % 365 < 180;
    const ofYear = this.#habits.isSeasonal ? (isHighSeason ? 2.2 : 0.44) : 1;
    const season = (day >= 355 || (day > 205 && day < 230) ? 0.5 : 1) * ofYear;
    return (weekday >= 5 ? 0.1 : 1) * season * (0.8 + (0.4 * day) / 365);
  }

  #wantedOn(day: number): (random: Random) => SimulatedPlaybook {
    const isQuarterEnd = day % 91 < 6;
    const total = [...this.#rates.values()].reduce((sum, rate) => sum + rate, 0);
    return weighted(this.#library.playbooks, ({ id, fate }) => {
      if (day < (this.#born.get(id) ?? 0) || day >= (this.#died.get(id) ?? Infinity)) return 0;
      if (fate === 'seasonal')
        return isQuarterEnd
          ? Math.max(0.01 * total, (total / this.#habits.needsEach / this.#habits.engineers) * 60)
          : 0;
      return this.#rates.get(id) ?? 0;
    });
  }

  #engineerFor({ domain }: Task): Engineer {
    if (this.#habits.isApart) {
      const own = this.#engineers.filter(({ domains }) => domains[0] === domain);
      if (own.length > 0) return pick(own, this.#random);
    }
    // People ask mostly about what their team does.
    for (let tries = 0; tries < 8; tries += 1) {
      const engineer = pick(this.#engineers, this.#random);
      if (engineer.domains.includes(domain)) return engineer;
    }
    return pick(this.#engineers, this.#random);
  }

  #phrase({ verbs, nouns: english, domain }: Task): string {
    const random = this.#random;
    const nouns = english.map((noun) =>
      NOUNS.indexOf(noun) % 100 < 100 * this.#habits.foreign ? Array.from(noun).reverse().join('') : noun,
    );
    const verb = pick(verbs, random);
    const core =
      random() < 0.08
        ? `${verb} ${pick(nouns, random)} ${domain}`
        : pick(
            [
              `${verb} ${nouns.join(' ')}`,
              `${nouns.join(' ')} ${domain}`,
              `${verb} the ${nouns.join(' ')} of ${domain}`,
              `${nouns[1]} ${nouns[0]} ${verb}`,
            ],
            random,
          );
    if (random() >= this.#habits.chatty) return core;
    return `${pick(CHATTER, random)} ${core} ${pick(ENDINGS, random)}`.trim();
  }

  #work(wanted: SimulatedPlaybook, day: number): void {
    const engineer = this.#engineerFor(wanted.task);
    const session = this.#begin(engineer, day);
    if (!engineer.isSearchOnly && this.#random() < this.#habits.fromMemory && TAKEN_OF_BAD < this.#appeal(wanted)) {
      session.use(wanted.id, null, null);
      return;
    }
    const tries = 1 + Number(this.#random() < 0.3);
    for (let at = 0; at < tries; at += 1) {
      const query = this.#phrase(wanted.task);
      const shown = session.search(query, this.#ask(query, day));
      const taken = engineer.isSearchOnly ? undefined : this.#choose(shown, wanted);
      if (taken === undefined) continue;
      session.use(taken, query, shown.indexOf(taken) + 1);
      if (this.#isAnswer(taken, wanted)) return;
    }
  }

  #look(task: Task, day: number): void {
    const engineer = this.#engineerFor(task);
    const session = this.#begin(engineer, day);
    const tries = 1 + Number(this.#random() < 0.5);
    for (let at = 0; at < tries; at += 1) {
      const query = this.#phrase(task);
      this.#missingOf.set(query, task);
      const shown = session.search(query, this.#ask(query, day));
      const taken = engineer.isSearchOnly ? undefined : this.#choose(shown, undefined);
      if (taken !== undefined) session.use(taken, query, shown.indexOf(taken) + 1);
    }
  }

  #choose(shown: readonly string[], wanted: SimulatedPlaybook | undefined): string | undefined {
    if (wanted !== undefined && this.#random() < this.#habits.abandoned) return undefined;
    for (const id of shown) {
      const isRight = wanted !== undefined && this.#isAnswer(id, wanted);
      const appeal = isRight ? this.#appeal(this.#byId.get(id)) : this.#habits.mistaken;
      if (this.#random() < appeal) return id;
      if (this.#random() > this.#habits.persistence) return undefined;
    }
    return undefined;
  }

  #isAnswer(id: string, { id: wanted, twin, fate }: SimulatedPlaybook): boolean {
    if (id === wanted) return true;
    if (fate === 'copied-unshared' || fate === 'deprecated-used') return false;
    return id === twin || this.#byId.get(id)?.twin === wanted;
  }

  #appeal(playbook: SimulatedPlaybook | undefined): number {
    switch (playbook?.fate) {
      case 'vague':
      case 'misleading':
        return TAKEN_OF_BAD;
      case 'greedy':
        return TAKEN_OF_GREEDY;
      case 'deprecated-left':
        return 0.02;
      default:
        return TAKEN;
    }
  }

  #makeNoise(day: number): void {
    const words = Array.from({ length: 3 + Math.floor(this.#random() * 3) }, () => pick(NOUNS, this.#random));
    const query = `${words.join(' ')} ${Math.floor(this.#random() * 1e6).toString(36)}`;
    this.#begin(pick(this.#engineers, this.#random), day).search(query, this.#ask(query, day));
  }

  #runJob(job: SimulatedPlaybook, day: number): void {
    const bot: Engineer = {
      user: 'ci',
      client: 'ci',
      repo: 'git.example.com/org/ci',
      domains: [],
      isSearchOnly: false,
    };
    const session = this.#begin(bot, day);
    const query = `${job.task.verbs[0] ?? ''} ${job.task.nouns.join(' ')}`;
    const shown = session.search(query, this.#ask(query, day));
    session.use(job.id, query, shown.indexOf(job.id) + 1);
  }

  #callStranger(day: number): void {
    this.#begin(pick(this.#engineers, this.#random), day).use(
      `gone:playbook-${Math.floor(this.#random() * 30)}`,
      null,
      null,
    );
  }

  #begin(
    engineer: Engineer,
    day: number,
  ): {
    search: (query: string, found: readonly string[]) => readonly string[];
    use: (id: string, query: string | null, rank: number | null) => void;
  } {
    const { lacks, readsAllSchemas } = this.#habits;
    const has = (field: Habits['lacks'][number]): boolean => !lacks.includes(field);
    const session = `session-${this.#events.length}`;
    let time = START + day * DAY_MS + Math.floor((8 + 10 * this.#random()) * 3_600_000);
    const add = (draft: Draft): void => {
      time += 1000 + Math.floor(this.#random() * 60_000);
      this.#events.push({
        id: `event-${this.#events.length}`,
        time,
        session: has('session') ? session : '',
        client: engineer.client,
        user: has('user') ? engineer.user : null,
        repo: engineer.repo,
        entry: null,
        kind: null,
        source: null,
        digest: null,
        outcome: 'ok',
        code: null,
        ms: 5 + 50 * this.#random(),
        tokens: 100,
        rank: null,
        query: null,
        shown: null,
        trace: null,
        ...draft,
      });
    };
    const about = (id: string) =>
      ({
        entry: id,
        kind: 'playbook',
        source: id.split(':')[0] ?? null,
        digest: this.#byId.get(id)?.playbook.digest ?? null,
      }) as const;
    const readsAll = this.#random() < readsAllSchemas;
    return {
      search: (query, found) => {
        add({
          operation: 'search',
          outcome: found.length === 0 ? 'empty' : 'ok',
          query: has('query') ? query : null,
          shown: has('shown') ? [...found] : null,
        });
        if (readsAll) for (const id of found) add({ operation: 'get_schema', ...about(id) });
        return found;
      },
      use: (id, query, rank) => {
        const found = {
          query: has('query') ? query : null,
          rank: has('rank') && rank !== null && rank > 0 ? rank : null,
        };
        if (this.#random() < 0.5) add({ operation: 'get_schema', ...about(id), ...found });
        const failing = this.#byId.get(id)?.fate === 'failing' ? 0.5 : 0.02;
        let hasFailed = this.#random() < failing;
        add({
          operation: 'execute',
          ...about(id),
          ...found,
          ...(hasFailed && { outcome: 'error', code: 'tools/failed' }),
        });
        // Half of those who fail try once more.
        if (!hasFailed || this.#random() < 0.5) return;
        hasFailed = this.#random() < failing;
        add({
          operation: 'execute',
          ...about(id),
          ...found,
          ...(hasFailed && { outcome: 'error', code: 'tools/failed' }),
        });
      },
    };
  }

  #seen(): readonly SeenEntry[] {
    return this.#library.playbooks.map(({ id }) => ({
      entry: id,
      kind: 'playbook',
      source: 'org',
      repo: null,
      firstSeen: START + (this.#born.get(id) ?? 0) * DAY_MS,
      lastSeen: START + this.#habits.days * DAY_MS,
    }));
  }
}
