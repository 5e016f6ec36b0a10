/** Copies of a playbook as people and agents make them: some words changed, or said again in other words. */
import type { Playbook } from '../src/model.ts';

/** A random number from 0 up to 1. */
export type Random = () => number;

/** The same numbers in every run. @see https://github.com/bryc/code/blob/master/jshash/PRNGs.md mulberry32 */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** In what way the words of a copy are changed. */
export const WAYS = ['random words', 'synonyms', 'deleted', 'inserted', 'mixed', 'mixed, sentences reordered'] as const;
export type Way = (typeof WAYS)[number];

interface Change {
  /** Share of the words that are changed, 0..1. */
  readonly share: number;
  readonly way: Way;
  readonly random: Random;
  /** Words of the whole corpus, as often as they occur there. */
  readonly words: readonly string[];
}

const WORD = /[\p{L}\p{N}_]+/gu;

/** A copy under another name with a share of its words changed, in description and body alike. */
export function changeWords(original: Playbook, change: Change): Playbook {
  const body = change.way === 'mixed, sentences reordered' ? reorder(original.body, change.random) : original.body;
  return {
    ...original,
    id: `${original.id}-changed`,
    name: `${original.name}-2`,
    description: changeText(original.description, change),
    body: changeText(body, change),
  };
}

function changeText(text: string, change: Change): string {
  const { share, random } = change;
  return text.replace(WORD, (word) => (random() < share ? changeWord(word, change) : word));
}

function changeWord(word: string, { way, random, words }: Change): string {
  const other = words[Math.floor(random() * words.length)] ?? word;
  switch (way) {
    case 'random words':
      return other;
    case 'synonyms':
      return synonymOf(word, random) ?? other;
    case 'deleted':
      return '';
    case 'inserted':
      return `${word} ${other}`;
    case 'mixed':
    case 'mixed, sentences reordered':
      return [other, synonymOf(word, random) ?? other, '', `${word} ${other}`][Math.floor(random() * 4)] ?? other;
  }
}

/** The paragraphs' lines in another order, here and there. */
function reorder(body: string, random: Random): string {
  const paragraphs = body.split('\n\n');
  for (let at = 0; at + 1 < paragraphs.length; at += 1) {
    if (random() < 0.3) [paragraphs[at], paragraphs[at + 1]] = [paragraphs[at + 1] ?? '', paragraphs[at] ?? ''];
  }
  return paragraphs.join('\n\n');
}

/**
 * The same steps in other words: code and names stay, of the other words most are replaced, some left out, and the
 * two halves of a sentence change places.
 */
export function rewrite(original: Playbook, random: Random, words: readonly string[]): Playbook {
  return {
    ...original,
    id: `${original.id}-rewritten`,
    name: rewriteLine(original.name.replaceAll('-', ' '), random, words).replaceAll(' ', '-'),
    description: rewriteLine(original.description, random, words),
    body: rewriteBody(original.body, random, words),
  };
}

function rewriteBody(body: string, random: Random, words: readonly string[]): string {
  let isCode = false;
  return body
    .split('\n')
    .map((line) => {
      if (line.trimStart().startsWith('```')) isCode = !isCode;
      return isCode || line.trimStart().startsWith('```') ? line : rewriteLine(line, random, words);
    })
    .join('\n');
}

const TURNS = / (?:and|to|with|for|when) /;

function rewriteLine(line: string, random: Random, words: readonly string[]): string {
  const [head = '', tail] = random() < 0.5 ? line.split(TURNS, 2) : [line];
  return [tail, head]
    .filter((part) => part !== undefined)
    .flatMap((part) => part.split(/(`[^`]*`)/))
    .map((part) => (part.startsWith('`') ? part : part.replace(/\p{L}+/gu, (word) => rewriteWord(word, random, words))))
    .join(' ');
}

function rewriteWord(word: string, random: Random, words: readonly string[]): string {
  // Names and terms of the trade stay; ordinary words are known by being in the table or by being short.
  const synonym = synonymOf(word, random);
  if (synonym !== undefined) return random() < 0.85 ? synonym : word;
  if (/\p{Lu}/u.test(word.slice(1))) return word;
  const chance = random();
  if (chance < 0.3) return words[Math.floor(random() * words.length)] ?? word;
  return chance < 0.45 ? '' : word;
}

const SYNONYMS: readonly string[] = [
  'use apply employ utilise take',
  'create make build produce set-up',
  'check verify inspect examine',
  'run start execute launch',
  'write compose draft put-down',
  'read study look-at go-through',
  'change alter modify edit adjust',
  'remove delete drop take-out',
  'add append include attach',
  'find locate discover spot',
  'show display present reveal',
  'file document',
  'folder directory',
  'test try trial',
  'error failure mistake fault',
  'fix repair correct mend',
  'keep retain preserve hold',
  'ensure guarantee see-to-it',
  'before ahead-of prior-to',
  'after following once',
  'always every-time invariably',
  'never at-no-time',
  'user person reader',
  'guide manual walk-through',
  'best finest recommended',
  'practices habits customs',
  'important essential vital key',
  'simple easy plain',
  'complex intricate involved',
  'large big huge',
  'small little tiny',
  'new fresh recent',
  'old former previous',
  'define specify lay-down',
  'configure set tune',
  'implement realise carry-out',
  'manage handle look-after',
  'design plan shape',
  'support back',
  'provide give supply offer',
  'require need demand',
  'multiple several many',
  'example sample instance',
  'step stage',
  'process procedure',
  'pattern shape model',
  'problem issue trouble',
  'solution answer remedy',
  'quick fast rapid',
  'common usual frequent',
  'specific particular certain',
  'data information',
  'output result',
  'input source',
  'team group crew',
  'project undertaking',
  'task job assignment',
  'review look-over assess',
  'update refresh renew',
  'avoid shun prevent',
  'help assist aid',
  'follow obey stick-to',
  'include contain cover',
  'return give-back hand-back',
  'call invoke',
  'set put',
  'get obtain fetch',
  'based resting',
  'should ought-to',
  'must has-to',
  'when whenever if',
  'where wherever',
  'each every',
  'with by-means-of',
  'quality standard',
  'content material',
  'security safety protection',
  'performance speed',
  'strategy approach plan',
  'analysis study',
  'generate produce yield',
  'structure layout',
];

const synonyms = new Map(
  SYNONYMS.flatMap((group) => {
    const members = group.split(' ').map((member) => member.replaceAll('-', ' '));
    return members.map((member): [string, readonly string[]] => [member, members.filter((other) => other !== member)]);
  }),
);

function synonymOf(word: string, random: Random): string | undefined {
  const others = synonyms.get(word.toLowerCase()) ?? synonyms.get(word.toLowerCase().replace(/s$/, ''));
  return others?.[Math.floor(random() * others.length)];
}
