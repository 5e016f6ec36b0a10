import { nearestWord } from '../../config/nearest.ts';
import type { LintFile, LintFinding, RuleText } from './types.ts';

/** A finding and the id of its rule. */
export interface RuleFinding extends LintFinding {
  readonly rule: string;
}

/** The rules about what is said to lint itself, in comments and in configurations. */
export const DIRECTIVE_RULES: readonly RuleText[] = [
  {
    id: 'disable-without-reason',
    severity: 'error',
    summary: 'A comment disables a rule and does not say why.',
    why: 'Whoever comes later cannot know whether the reason still holds.',
    mend: 'Write the reason after two hyphens: `<!-- playbook-lint-disable-next-line rule-id -- reason -->`.',
  },
  {
    id: 'unused-disable',
    severity: 'warning',
    summary: 'A comment disables a rule that reports nothing there.',
    why: 'It hides the next finding, which nobody has looked at.',
    mend: 'Delete the comment.',
  },
  {
    id: 'unknown-rule',
    severity: 'warning',
    summary: 'A comment, a configuration or a flag names a rule that does not exist.',
    why: 'It has no effect.',
    mend: 'Correct the id; the message names the nearest one.',
  },
];

/** Ids of rules. */
export interface RuleIds {
  readonly all: readonly string[];
  /** Those that are not switched off: of the others nobody knows what they would report. */
  readonly checked: readonly string[];
}

interface Directive {
  readonly line: number;
  readonly column: number;
  readonly rules: readonly string[];
  readonly hasReason: boolean;
  /** The line that it is about; undefined for the whole file. */
  readonly about: number | undefined;
}

/** In the body a comment of HTML; in the front matter one of YAML. */
const IN_BODY = /<!--\s{0,20}playbook-lint-disable(?<next>-next-line)?(?=\s|-->)(?<said>[\s\S]{0,500}?)-->/g;
const IN_FRONT_MATTER = /^[ \t]*#[ \t]*playbook-lint-disable(?<next>-next-line)?(?=\s|$)(?<said>.*)$/gm;

/**
 * Takes out what the file's own comments disable, and adds what is wrong with those comments.
 */
export function applyDirectives(
  file: LintFile,
  findings: readonly RuleFinding[],
  rules: RuleIds,
): readonly RuleFinding[] {
  if (!file.text.includes('playbook-lint-disable')) return findings;
  const directives = findDirectives(file);
  const used = new Set<string>();
  const left = findings.filter(({ rule, line }) => {
    const matching = directives.filter(
      (directive) => directive.rules.includes(rule) && (directive.about ?? line) === line,
    );
    for (const directive of matching) used.add(keyOf(directive, rule));
    return matching.length === 0;
  });
  return [...left, ...directives.flatMap((directive) => faultsOf(directive, used, rules))];
}

function findDirectives({ text, prose, bodyStart, placeOf }: LintFile): readonly Directive[] {
  const inFrontMatter = [...text.slice(0, bodyStart).matchAll(IN_FRONT_MATTER)];
  const inBody = [...prose.slice(bodyStart).matchAll(IN_BODY)];
  const at = (match: RegExpExecArray, start: number): Directive => {
    const [ids = '', ...reason] = (match.groups?.said ?? '').split(/(?:^|\s)--\s/);
    const place = placeOf(start + match.index);
    const lastLine = placeOf(start + match.index + match[0].length).line;
    return {
      ...place,
      rules: ids.split(/[\s,]+/).filter((id) => id !== ''),
      hasReason: reason.join('').trim() !== '',
      about: match.groups?.next === undefined ? undefined : lastLine + 1,
    };
  };
  return [...inFrontMatter.map((match) => at(match, 0)), ...inBody.map((match) => at(match, bodyStart))];
}

function faultsOf(directive: Directive, used: ReadonlySet<string>, { all, checked }: RuleIds): readonly RuleFinding[] {
  const { line, column, rules, hasReason } = directive;
  const fault = (rule: string, message: string, hint: string): RuleFinding => ({ rule, line, column, message, hint });
  return [
    ...(rules.length > 0 && hasReason
      ? []
      : [
          fault(
            'disable-without-reason',
            rules.length === 0 ? 'This comment does not say which rule it disables.' : 'This comment does not say why.',
            'Write `<!-- playbook-lint-disable-next-line rule-id -- reason -->`.',
          ),
        ]),
    ...rules.filter((id) => !all.includes(id)).map((id) => ({ line, column, ...unknownRule(id, all) })),
    ...rules
      .filter((id) => checked.includes(id) && !used.has(keyOf(directive, id)))
      .map((id) => fault('unused-disable', `There is nothing here that "${id}" reports.`, 'Delete the comment.')),
  ];
}

/** What is said about an id that is no rule's. */
export function unknownRule(
  id: string,
  knownRules: readonly string[],
): { readonly rule: 'unknown-rule'; readonly message: string; readonly hint: string } {
  const near = nearestWord(id, knownRules);
  return {
    rule: 'unknown-rule',
    message: `There is no lint rule "${id}".`,
    hint: near === undefined ? 'docs/rules lists them all.' : `Did you mean ${near}?`,
  };
}

function keyOf({ line, column }: Directive, rule: string): string {
  return `${line}:${column} ${rule}`;
}
