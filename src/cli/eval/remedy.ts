import type { EvaluatedPlaybook } from '../../server/evaluate.ts';

type Missed = EvaluatedPlaybook['examples'][number];
type Hit = EvaluatedPlaybook['notExamples'][number];

/** What to change so that an example finds its playbook, a sentence or two. */
export function missedRemedy({ heldOut: { first }, words: { own, first: others } }: Missed): string {
  if (first === undefined) {
    return own.lacks.length === 0
      ? 'Give more examples like it, in other words: too little is found by the words that are there.'
      : `Say ${quoted(own.lacks)} in its description, or in another example.`;
  }
  const has = others === undefined || others.has.length === 0 ? '' : `${first} says ${quoted(others.has)}. `;
  const change =
    own.lacks.length === 0
      ? `This playbook has every word of it too: say in both descriptions what only one of them does`
      : `This playbook lacks ${quoted(own.lacks)}: say so in its description`;
  return `${has}${change}. If ${first} is the right answer, move the example there.`;
}

/** What to change so that a not-example finds its playbook no more. */
export function hitRemedy({ words: { own } }: Hit): string {
  const found =
    own.has.length === 0
      ? 'It is found by its text alone'
      : `Its name, description, tags or examples say ${quoted(own.has)}`;
  return `${found}: take out what belongs to another playbook, and give this query to that one as an example.`;
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(', ');
}
