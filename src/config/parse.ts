import { dirname } from 'node:path';

import type { Node } from 'jsonc-parser';
import type * as z from 'zod';

import type { Diagnostic } from '../model.ts';
import { toPartialConfig } from './convert.ts';
import {
  type ConfigDocument,
  duplicateKeys,
  entries,
  type JsonPath,
  nodeAt,
  positionOf,
  positionOfKey,
  readDocument,
  valueOf,
  without,
  writtenPath,
} from './document.ts';
import { nearestWord } from './nearest.ts';
import { type ConfigFile, configFileSchema, knownKeys } from './schema.ts';
import type { Env, PartialConfig } from './types.ts';
import { expandDocument, type Problem } from './variables.ts';

/** What the text of a configuration file depends on. */
export interface ParseContext {
  readonly env: Env;
  readonly homeDirectory: string;
  /** `workspace` for a file that a repository ships: only `lint` and `search.synonyms` of it count. */
  readonly scope: 'user' | 'workspace';
}

/** What a configuration file says, and everything in it that does not count. */
export interface ParsedConfig {
  readonly config: PartialConfig;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the text of one configuration file. An entry that is wrong (one source, server, command, retired id, or one key of a
 * section) is off, alone, and is named by a diagnostic with its position; a key that means nothing is a warning.
 * @param path absolute path of the file; relative paths in it begin at its directory
 * @throws PlaybookError config/not-json
 */
export function parseConfig(text: string, path: string, context: ParseContext): ParsedConfig {
  const diagnostics: Diagnostic[] = [];
  const read = readDocument(text, path);
  diagnostics.push(...duplicateKeys(read));
  const permitted = context.scope === 'user' ? { document: read, diagnostics: [] } : keepHarmless(read);
  diagnostics.push(...permitted.diagnostics);
  const expanded = expandDocument(permitted.document, { ...context, directory: dirname(path) });
  diagnostics.push(...expanded.problems.map((problem) => toDiagnostic(expanded.document, problem)));
  const valid = validate(switchOff(expanded.document, expanded.problems));
  diagnostics.push(...valid.diagnostics);
  const converted = toPartialConfig(valid.file, valid.document);
  diagnostics.push(...converted.diagnostics);
  const { config } = converted;
  const guarded = isGuarded(permitted.document) ? { ...config, http: { ...config.http, isGuarded: true } } : config;
  return { config: guarded, diagnostics: diagnostics.sort((a, b) => a.line - b.line || a.column - b.column) };
}

/** Whether the file asks for authentication, whatever becomes of what it asks for. */
function isGuarded(document: ConfigDocument): boolean {
  return ['tokens', 'tokensFile', 'issuer'].some((key) => {
    const node = nodeAt(document, ['http', key]);
    return node !== undefined && (node.type !== 'array' || node.children?.length !== 0);
  });
}

const RUNNABLE = ['mcpServers', 'servers', 'commands'];

function keepHarmless(document: ConfigDocument): {
  readonly document: ConfigDocument;
  readonly diagnostics: readonly Diagnostic[];
} {
  const refused = [
    ...entries(document, document.root).filter(([key]) => !['lint', 'search', '$schema'].includes(key)),
    ...entries(document, nodeAt(document, ['search'])).filter(([key]) => key !== 'synonyms'),
  ];
  const diagnostics = refused.map(([key, node]): Diagnostic => {
    const isSetting = node.parent?.parent !== document.root;
    const shown = isSetting ? `search.${key}` : key;
    return {
      severity: 'warning',
      ...positionOfKey(document, isSetting ? ['search', key] : [key]),
      ...(RUNNABLE.includes(key)
        ? { rule: 'config-inert', message: `\`${shown}\` of a repository is inert until a person trusts it.` }
        : {
            rule: 'config-not-for-workspace',
            message: `\`${shown}\` does not count in a repository's configuration.`,
          }),
      hint: 'Move it to your own configuration if you want it.',
    };
  });
  return {
    document: without(
      document,
      refused.map(([, node]) => node),
    ),
    diagnostics,
  };
}

interface Validated {
  readonly file: ConfigFile;
  readonly document: ConfigDocument;
  readonly diagnostics: readonly Diagnostic[];
}

/** Each round takes away what the schema refused in the last; it ends, since every refusal lies within something that is there. */
function validate(document: ConfigDocument): Validated {
  const result = configFileSchema.safeParse(valueOf(document, document.root));
  if (result.success) return { file: result.data, document, diagnostics: [] };
  const unknown = result.error.issues.flatMap(unknownKeyPaths);
  const problems = result.error.issues.filter((issue) => issue.code !== 'unrecognized_keys').map(toProblem);
  const diagnostics = [
    ...unknown.map((path) => unknownKey(document, path)),
    ...problems.map((problem) => toDiagnostic(document, problem)),
  ];
  const unknownNodes = unknown.flatMap((path) => nodeAt(document, path) ?? []);
  const rest = validate(without(switchOff(document, problems), unknownNodes));
  return { ...rest, diagnostics: [...diagnostics, ...rest.diagnostics] };
}

function unknownKeyPaths(issue: z.core.$ZodIssue): readonly JsonPath[] {
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [];
}

function toProblem({ path, message }: z.core.$ZodIssue): Problem {
  return { path, message: message.replace(/^(?:Invalid input|Invalid option|Too small|Too big): /, '') };
}

/** The entries in which the problems lie, as the smallest that can be off alone. */
function switchOff(document: ConfigDocument, problems: readonly Problem[]): ConfigDocument {
  return without(
    document,
    problems.flatMap((problem): readonly Node[] => {
      const node = nodeAt(document, entryOf(problem.path));
      return node === undefined ? [] : [node];
    }),
  );
}

const COLLECTIONS: readonly PropertyKey[] = ['sources', 'mcpServers', 'servers', 'commands', 'tagRules', 'retired'];

function entryOf(path: JsonPath): JsonPath {
  return path.slice(0, COLLECTIONS.includes(path[0] ?? '') ? 2 : 3);
}

function toDiagnostic(document: ConfigDocument, { path, message }: Problem): Diagnostic {
  const entry = entryOf(path);
  return {
    rule: 'config-bad-entry',
    severity: 'error',
    ...positionOf(document, path),
    message: `\`${shownPath(document, path)}\`: ${message}; ${entry.length === path.length ? 'it' : `\`${shownPath(document, entry)}\``} is off.`,
  };
}

function unknownKey(document: ConfigDocument, path: JsonPath): Diagnostic {
  const nearest = nearestWord(String(path.at(-1)), knownKeys(path.slice(0, -1)));
  return {
    rule: 'config-unknown-key',
    severity: 'warning',
    ...positionOfKey(document, path),
    message: `\`${shownPath(document, path)}\` means nothing here and is ignored.`,
    ...(nearest === undefined ? {} : { hint: `Did you mean \`${nearest}\`?` }),
  };
}

function shownPath(document: ConfigDocument, path: JsonPath): string {
  return writtenPath(document, path)
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .slice(1);
}
