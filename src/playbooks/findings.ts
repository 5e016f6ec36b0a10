import type { Diagnostic } from '../model.ts';
import type { Position } from './decode.ts';
import { MAX_FRONT_MATTER_BYTES } from './fence.ts';

/** A diagnostic of which the file is not known yet: the steps below `parsePlaybook` see text, not files. */
export type Finding = Omit<Diagnostic, 'path'>;

const FIRST_LINE: Position = { line: 1, column: 1 };

/** The bytes are not UTF-8. @param hasUtf16Mark whether they begin with a byte order mark of UTF-16 */
export function notUtf8(position: Position, hasUtf16Mark: boolean): Finding {
  const message = hasUtf16Mark
    ? 'The file is UTF-16, not UTF-8.'
    : 'The file is not UTF-8: this byte belongs to no character.';
  return { rule: 'not-utf8', severity: 'error', ...position, message, hint: 'Save the file as UTF-8.' };
}

/** A `SKILL.md` that does not begin with a fence. */
export function noFrontMatter(isEmpty: boolean): Finding {
  return {
    rule: 'no-front-matter',
    severity: 'warning',
    ...FIRST_LINE,
    message: isEmpty ? 'The file is empty.' : 'The file has no front matter, so it is not served.',
    hint: 'Begin it with a line `---`, then `name:` and `description:`, then a line `---`.',
  };
}

/** A language after the opening fence. */
export function foreignFrontMatter(language: string): Finding {
  return {
    rule: 'foreign-front-matter',
    severity: 'error',
    ...FIRST_LINE,
    message: `Front matter is YAML; \`${language.slice(0, 40)}\` after the fence is never read or run.`,
    hint: 'Make the first line exactly `---` and write YAML below it.',
  };
}

/** Front matter beyond the bound. */
export function frontMatterTooLong(byteCount: number): Finding {
  return {
    rule: 'front-matter-too-long',
    severity: 'error',
    ...FIRST_LINE,
    message: `The front matter has ${byteCount} bytes; the limit is ${MAX_FRONT_MATTER_BYTES}.`,
    hint: 'Move text below the closing `---`, or into a supporting file.',
  };
}

/** No closing fence, and what stands below the opening one is not YAML to the end of the file. */
export function unclosedFence({ line, column }: Position): Finding {
  return {
    rule: 'unclosed-fence',
    severity: 'error',
    line,
    column,
    message: 'The front matter that line 1 opens is never closed, and from here on it is not YAML.',
    hint: 'Put a line `---` below the last field.',
  };
}

/** A key that a map has twice, at its second place. */
export function duplicateKey(position: Position): Finding {
  return {
    rule: 'duplicate-key',
    severity: 'error',
    ...position,
    message: 'This key stands twice in the same map.',
    hint: 'Keep one of the two.',
  };
}

/** Anything else that YAML refuses. @param reason in YAML's own words */
export function brokenYaml(reason: string, position: Position): Finding {
  return {
    rule: 'broken-yaml',
    severity: 'error',
    ...position,
    message: `The front matter is not YAML: ${reason}.`,
    hint: 'Put the value in quotes, or write it below `key: |`, indented.',
  };
}

/** Front matter that is a text or a list. */
export function notAMap(position: Position): Finding {
  return {
    rule: 'not-a-map',
    severity: 'error',
    ...position,
    message: 'The front matter is not a list of fields.',
    hint: 'Write one `key: value` a line between the fences.',
  };
}

/** Aliases or nesting that grow beyond what a playbook can need. */
export function tooManyValues(): Finding {
  return {
    rule: 'too-many-values',
    severity: 'error',
    ...FIRST_LINE,
    message: 'The front matter nests too deeply, or its aliases expand to too many values.',
    hint: 'Write the values out instead of using YAML aliases.',
  };
}

/** No `description`, or a blank one. @param written the key that is nearly `description`, where there is one */
export function missingDescription(position: Position, written?: string): Finding {
  return {
    rule: 'missing-description',
    severity: 'error',
    ...position,
    message: 'The front matter has no description, so no agent could find the playbook.',
    hint:
      written === undefined
        ? 'Add `description:` with what it does and when to use it.'
        : `\`${written}\` is no field: write \`description\`.`,
  };
}

/** A description over the 1,024 characters of the Agent Skills format. */
export function longDescription(characterCount: number, position: Position): Finding {
  return {
    rule: 'long-description',
    severity: 'warning',
    ...position,
    message: `The description has ${characterCount} characters; the Agent Skills format allows 1,024.`,
    hint: 'Say what it does and when to use it; move the rest into the body.',
  };
}

/** A plain scalar with `: ` in it, which was read as if it were quoted. */
export function unquotedColon(position: Position): Finding {
  return {
    rule: 'unquoted-colon',
    severity: 'warning',
    ...position,
    message: 'This value has a colon and no quotes; it was read as text.',
    hint: 'Put the value in quotes, so that every YAML reader takes it as text.',
  };
}

/** `argument-hint: [a] [b]`, which was read as if it were quoted. */
export function unquotedHint(position: Position): Finding {
  return {
    rule: 'unquoted-hint',
    severity: 'warning',
    ...position,
    message: 'This hint begins like a YAML list, but is none; it was read as text.',
    hint: 'Put the hint in quotes.',
  };
}

/** `*name` without an anchor, which was read as text. */
export function unknownAlias(text: string, position: Position): Finding {
  return {
    rule: 'unknown-alias',
    severity: 'warning',
    ...position,
    message: `\`${text}\` is a YAML alias of nothing; it was read as text.`,
    hint: 'Put the value in quotes.',
  };
}

/** What YAML reads, but with a warning. @param reason in YAML's own words */
export function yamlWarning(reason: string, position: Position): Finding {
  return {
    rule: 'yaml-warning',
    severity: 'warning',
    ...position,
    message: `YAML reads this with a warning: ${reason}.`,
    hint: 'Put the value in quotes.',
  };
}

/** A field of the wrong form, which is left out while the playbook is served. */
export function badField(field: string, reason: string, position: Position): Finding {
  return {
    rule: 'bad-field',
    severity: 'warning',
    ...position,
    message: `\`${field}\` is left out: ${reason}`,
    hint: 'Correct or remove it; the rest of the playbook is served.',
  };
}
