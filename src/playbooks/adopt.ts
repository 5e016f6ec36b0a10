import { isJsonObject } from '../model.ts';
import { yamlLines } from './compose.ts';
import { splitFrontMatter } from './fence.ts';
import { readYaml } from './yaml.ts';

/** A foreign file as a playbook. */
export interface Adopted {
  readonly text: string;
  /** What was done to it, a sentence part each: `description: from its first line`. */
  readonly changes: readonly string[];
}

/**
 * A foreign markdown file (skill, command, rule, microagent) as a playbook: its body and front matter stay as they are, to the
 * byte; only what a playbook cannot do without is put in.
 *
 * @param written the whole file, line ends and byte order mark as they are
 * @param added lines to put in as well, by key; none of them may stand in the file already
 */
export function adoptMarkdown(written: string, added: Readonly<Record<string, unknown>>): Adopted {
  const text = quoteGlobs(written);
  const fence = splitFrontMatter(normalized(text));
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const yaml = fence.kind === 'found' ? readYaml(fence.frontMatter) : undefined;
  const own = yaml?.kind === 'read' ? yaml.text : {};
  const isDescribed = typeof own.description === 'string' && own.description.trim() !== '';
  const body = fence.kind === 'found' ? fence.body : normalized(text);
  const description = isDescribed || added.description !== undefined ? undefined : firstLine(body);
  const takesArguments = fence.kind === 'none' && body.includes('$ARGUMENTS');
  const lines = yamlLines({
    ...(description === undefined ? {} : { description }),
    ...(takesArguments ? { 'argument-hint': 'what it is about' } : {}),
    ...added,
  }).replaceAll('\n', lineEnd);
  const changes = [
    ...(text === written ? [] : ['globs: quoted, as they are no YAML without quotes']),
    ...(takesArguments ? ['argument-hint: added, so that $ARGUMENTS is replaced'] : []),
    ...(description === undefined ? [] : ['description: from its first line, as it had none']),
    ...Object.keys(added).map((key) => `${key}: as given`),
  ];
  if (lines === '') return { text, changes };
  const opening = /^\uFEFF?---[ \t]*(?:\r\n|\r|\n)/.exec(text)?.[0];
  if (fence.kind !== 'found' || opening === undefined) {
    return { text: `---${lineEnd}${lines}---${lineEnd}${text.replace(/^\uFEFF/, '')}`, changes };
  }
  // A key without a value would stand twice.
  const rest = text.slice(opening.length);
  const closing = /^---[ \t]*$/m.exec(rest.replaceAll('\r', ' '))?.index ?? rest.length;
  const head = rest.slice(0, closing).replace(/^description:[ \t]*(?:\r\n|\r|\n)/m, '');
  return { text: opening + lines + head + rest.slice(closing), changes };
}

/**
 * A goose recipe (YAML) as a playbook: `instructions` and `prompt` become its body, everything else its front matter.
 *
 * Undefined where the text is no recipe.
 */
export function adoptRecipe(text: string, added: Readonly<Record<string, unknown>>): Adopted | undefined {
  const yaml = readYaml(normalized(text));
  if (yaml.kind === 'broken') return undefined;
  const { instructions, prompt, ...rest } = yaml.values;
  const parts = [instructions, prompt].filter((part) => typeof part === 'string');
  if (parts.length === 0 || !isJsonObject(rest)) return undefined;
  const title = typeof rest.title === 'string' ? rest.title : undefined;
  const front = {
    ...(rest.description === undefined && added.description === undefined && { description: title }),
    ...rest,
    ...added,
  };
  return {
    text: `---\n${yamlLines(front)}---\n${parts.join('\n\n')}`,
    changes: ['instructions, prompt: the body', ...Object.keys(added).map((key) => `${key}: as given`)],
  };
}

/** Cursor writes `globs: *.ts,*.tsx`, which no YAML reader takes. */
function quoteGlobs(text: string): string {
  const closing = text.search(/[\r\n]---[ \t]*(?:\r|\n|$)/);
  if (!text.startsWith('---') || closing === -1) return text;
  return text.slice(0, closing).replace(/^globs:[ \t]+(\*[^'\r\n]*?)[ \t]*$/m, "globs: '$1'") + text.slice(closing);
}

/** As Claude Code describes a command that does not describe itself. */
function firstLine(body: string): string | undefined {
  const line = body.split('\n').find((each) => each.trim() !== '');
  return line?.replace(/^[\s#>*-]+/, '').trim() || undefined;
}

function normalized(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}
