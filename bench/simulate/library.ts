import type { Playbook, Source } from '../../src/model.ts';
import { parsePlaybook } from '../../src/playbooks/parse.ts';
import { changeWords, type Random } from '../plant.ts';
import { pick, sample } from './chance.ts';
import { DOMAINS, NOUNS, STEPS, VERBS } from './words.ts';

/** A thing that people want done. */
export interface Task {
  readonly domain: string;
  readonly verbs: readonly string[];
  readonly nouns: readonly [string, string];
}

/**
 * What becomes of a playbook. `vague`, `greedy` and `misleading` are badly described: it hides what it does; it names what others do; it reads
 * as if it did something else.
 */
export type Fate =
  | 'used'
  | 'dead'
  | 'died'
  | 'seasonal'
  | 'referenced'
  | 'retained'
  | 'new'
  | 'young'
  | 'vague'
  | 'greedy'
  | 'misleading'
  | 'failing'
  | 'copied'
  | 'copied-unshared'
  | 'same-use'
  | 'deprecated-used'
  | 'deprecated-left';

export interface SimulatedPlaybook {
  /** Qualified id. */
  readonly id: string;
  readonly task: Task;
  readonly fate: Fate;
  /** The one that does the same: the original of a copy, the replacement of a deprecated one. */
  readonly twin?: string;
  readonly playbook: Playbook;
}

export interface Library {
  readonly playbooks: readonly SimulatedPlaybook[];
  /** Wanted, and not there. */
  readonly missing: readonly Task[];
}

const SOURCE: Source = {
  name: 'org',
  kind: 'central',
  label: 'org',
  folders: ['/org'],
  isTrusted: true,
};

/** How many playbooks of 300 have each fate; the others are simply used. */
const SHARES: readonly (readonly [Fate, number])[] = [
  ['dead', 22],
  ['died', 18],
  ['seasonal', 8],
  ['referenced', 8],
  ['retained', 4],
  ['new', 12],
  ['young', 6],
  ['vague', 6],
  ['greedy', 4],
  ['misleading', 10],
  ['failing', 12],
  ['copied', 8],
  ['copied-unshared', 6],
  ['same-use', 6],
  ['deprecated-used', 4],
  ['deprecated-left', 4],
];

/** Invents playbooks, `count` in all but for the twins that some have beside them, and needs that none answers. */
export function inventLibrary(random: Random, { count = 300, missingCount = 20 } = {}): Library {
  const taken = new Set<string>();
  const fates = SHARES.flatMap(([fate, share]) =>
    Array.from({ length: Math.round((share * count) / 300) }, () => fate),
  );
  const playbooks: SimulatedPlaybook[] = [];
  for (let at = 0; playbooks.length < count; at += 1) {
    const task = inventTask(random, taken);
    playbooks.push(...withTwin(task, fates[at] ?? 'used', random));
  }
  return {
    playbooks: withReferences(playbooks, random),
    missing: Array.from({ length: missingCount }, () => inventTask(random, taken)),
  };
}

function inventTask(random: Random, taken: Set<string>): Task {
  for (;;) {
    const [first, second] = sample(NOUNS, 2, random);
    if (first === undefined || second === undefined) throw new Error('too few nouns');
    const key = [first, second].sort().join(' ');
    if (taken.has(key)) continue;
    taken.add(key);
    return { domain: pick(DOMAINS, random), verbs: pick(VERBS, random), nouns: [first, second] };
  }
}

function withTwin(task: Task, fate: Fate, random: Random): readonly SimulatedPlaybook[] {
  const own = toPlaybook(task, fate, { random, verb: Math.floor(random() * 3) });
  switch (fate) {
    case 'copied':
    case 'copied-unshared': {
      const copy = changeWords(own.playbook, { share: 0.12, way: 'random words', random, words: NOUNS });
      return [
        own,
        {
          ...own,
          id: `org:${copy.id}`,
          twin: own.id,
          playbook: {
            ...copy,
            path: `/org/${copy.id}.md`,
            realPath: `/org/${copy.id}.md`,
            digest: `${own.playbook.digest}-copy`,
          },
        },
      ];
    }
    case 'same-use':
      return [
        own,
        { ...toPlaybook(task, fate, { random, suffix: 'guide', verb: Math.floor(random() * 3) }), twin: own.id },
      ];
    case 'deprecated-used':
    case 'deprecated-left': {
      const replacement = toPlaybook(task, 'used', { random, suffix: 'v2', verb: Math.floor(random() * 3) });
      return [
        { ...toPlaybook(task, fate, { random, replacedBy: replacement.playbook.id }), twin: replacement.id },
        replacement,
      ];
    }
    default:
      return [own];
  }
}

interface Writing {
  readonly random: Random;
  readonly suffix?: string;
  readonly verb?: number;
  readonly replacedBy?: string;
}

function toPlaybook(task: Task, fate: Fate, { random, suffix, verb = 0, replacedBy }: Writing): SimulatedPlaybook {
  const { domain, nouns, verbs } = task;
  const name =
    fate === 'vague'
      ? `${domain}-notes-${nouns[0].slice(0, 3)}${nouns[1].slice(0, 3)}`
      : [verbs[verb] ?? '', ...nouns, ...((suffix ?? '') ? [suffix] : [])].join('-').replaceAll(' ', '-');
  const id = `${domain}/${name}`;
  const text = [
    '---',
    `description: "${describe(task, fate, { random, verb })}"`,
    `tags: [domain:${domain}]`,
    ...(fate === 'retained' ? ['metadata:', '  retain: "true"'] : []),
    ...(replacedBy === undefined
      ? []
      : ['status: deprecated', 'deprecated:', '  since: 2025-04-10', `  replacedBy: ${replacedBy}`]),
    '---',
    ...stepsOf(task, random),
  ].join('\n');
  return { id: `org:${id}`, task, fate, playbook: parse(id, text) };
}

function describe(
  { domain, verbs, nouns: [first, second] }: Task,
  fate: Fate,
  { random, verb }: { random: Random; verb: number },
): string {
  const [a, b, c] = sample(NOUNS, 3, random);
  switch (fate) {
    case 'vague':
      return pick(
        [
          `Notes about ${domain}, the ${first} and other things.`,
          `What we know on ${first}.`,
          `${domain} ${first}: see the text.`,
          `Stuff for ${domain} people who have a ${first} and a ${a ?? ''}.`,
        ],
        random,
      );
    case 'greedy':
      return `All about ${domain}: ${sample(VERBS, 5, random)
        .map(([each]) => each)
        .join(', ')} anything with ${sample(NOUNS, 25, random).join(', ')}.`;
    default:
      return `${verbs[verb] ?? ''} the ${first} ${second} of ${domain}. Use when the ${a ?? ''} is wrong, or a ${b ?? ''} has no ${c ?? ''}.`;
  }
}

function stepsOf({ domain, verbs, nouns }: Task, random: Random): readonly string[] {
  const own = [...sample(NOUNS, 10, random), ...nouns, ...nouns, domain];
  const lines = Array.from({ length: 6 + Math.floor(random() * 8) }, (_, at) => {
    const step = pick(STEPS, random).replace(/\{\w\}/g, () => pick(own, random));
    return `${at + 1}. ${step}`;
  });
  return [`How to ${verbs[0] ?? ''} the ${nouns.join(' ')}.`, '', ...lines];
}

function withReferences(playbooks: readonly SimulatedPlaybook[], random: Random): readonly SimulatedPlaybook[] {
  const parents = playbooks.filter(({ fate }) => fate === 'used');
  const referencedBy = new Map<string, string[]>();
  for (const { fate, playbook } of playbooks) {
    if (fate !== 'referenced') continue;
    // From the best known ones: the first of the used ones are.
    const parent = pick(parents.slice(0, 40), random);
    referencedBy.set(parent.id, [...(referencedBy.get(parent.id) ?? []), playbook.id]);
  }
  return playbooks.map((each) => {
    const references = referencedBy.get(each.id);
    return references === undefined ? each : { ...each, playbook: { ...each.playbook, references } };
  });
}

function parse(id: string, text: string): Playbook {
  const path = `/org/${id}.md`;
  const bytes = new TextEncoder().encode(text);
  const outcome = parsePlaybook({
    source: SOURCE,
    path,
    realPath: path,
    id,
    shape: 'file',
    bytes,
    supportingFiles: [],
  });
  if (outcome.kind !== 'playbook') throw new Error(`${id} is no playbook`);
  return outcome.playbook;
}
