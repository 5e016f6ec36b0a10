import { foldAccents, toLower } from '../../search/fold.ts';
import { type QueryTally, termsOf } from '../fold/query-tally.ts';
import type { QueryGroup } from '../query-groups.ts';
import { counted, quoted, type ReviewInput, toDate, type WriteProposal } from './proposal.ts';
import type { UnservedNeed } from './unserved.ts';

const MOST_QUERIES = 20;
const MOST_EXAMPLES = 3;
const MOST_WORDS = 6;

/** The playbooks to write, the most asked for first. */
export function findMissing(unserved: readonly UnservedNeed[], input: ReviewInput): readonly WriteProposal[] {
  const ids = new Map(input.uses.map(({ tally, id }) => [tally, id]));
  return unserved
    .filter(({ cause }) => cause === 'missing')
    .map(({ group, askedBy, days, shown }) => {
      const { queries, unanswered, answered } = group;
      const texts = mostTypical(group).flatMap(({ text }) => text ?? []);
      const query = texts[0] ?? '';
      const searches = counted(unanswered, 'search', 'searches');
      return {
        kind: 'write',
        query,
        reason: `Asked in vain in ${searches} by ${counted(askedBy, 'caller')} on ${counted(days, 'day')}.`,
        command: newCommand(query, texts, input),
        evidence: {
          queries: texts.slice(0, MOST_QUERIES),
          unanswered,
          answered,
          empty: queries.reduce((sum, { empty }) => sum + empty, 0),
          askedBy,
          days,
          first: toDate(Math.min(...queries.map(({ firstAt }) => firstAt))),
          last: toDate(Math.max(...queries.map(({ lastAt }) => lastAt))),
          shown: shown.flatMap((tally) => ids.get(tally) ?? []),
        },
      };
    });
}

/** The wordings, first those that were asked often, nearly always in vain, and in the words of the others: an odd one would name the need badly. */
function mostTypical({ queries, terms }: QueryGroup): readonly QueryTally[] {
  const weights = new Map(terms);
  const typicality = (query: QueryTally): number =>
    (query.unanswered ** 2 / (query.unanswered + query.answered)) *
    termsOf(query).reduce((sum, term) => sum + (weights.get(term) ?? 0), 0);
  const known = new Map(queries.map((query) => [query, typicality(query)]));
  return [...queries].sort((a, b) => (known.get(b) ?? 0) - (known.get(a) ?? 0));
}

function newCommand(query: string, texts: readonly string[], { catalog }: ReviewInput): string {
  const words = toLower(foldAccents(query)).match(/[a-z0-9]+/g) ?? ['new', 'playbook'];
  const name = words.slice(0, MOST_WORDS).join('-');
  const id = catalog.byId.has(name) ? `${name}-2` : name;
  const examples = texts.slice(0, MOST_EXAMPLES).map((text) => `--example ${quoted(text)}`);
  return ['playbook-mcp new', id, ...examples].join(' ');
}
