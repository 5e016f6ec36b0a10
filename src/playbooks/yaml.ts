import matter from 'gray-matter';
import { isMap, parseDocument } from 'yaml';
import type { Document, YAMLError } from 'yaml';

import type { JsonObject } from '../model.ts';
import { positionAt } from './decode.ts';
import type { Position } from './decode.ts';
import {
  brokenYaml,
  duplicateKey,
  notAMap,
  tooManyValues,
  unknownAlias,
  unquotedColon,
  unquotedHint,
  yamlWarning,
} from './findings.ts';
import type { Finding } from './findings.ts';
import { readPlainYaml } from './plain-yaml.ts';
import type { FieldPath } from './tree-paths.ts';
import { quoteScalars } from './unquoted.ts';
import { offsetOf, readTree, TreeTooLarge } from './yaml-tree.ts';

/** The front matter as YAML reads it; every position is of the whole file. */
export type YamlReading = YamlFields | { readonly kind: 'broken'; readonly finding: Finding };

export interface YamlFields {
  readonly kind: 'read';
  /** Every scalar as the text that stands in the file; keys without a value are absent. */
  readonly text: JsonObject;
  /** The same with numbers, booleans and nulls. */
  readonly values: JsonObject;
  readonly warnings: readonly Finding[];
  /** Where the value at a path stands; the first line where there is no such field. */
  readonly locate: (path: FieldPath) => Position;
}

/** Reads the text between the fences, of which the first line is line 2 of the file. */
export function readYaml(frontMatter: string): YamlReading {
  const source = `\n${frontMatter}`;
  const plain = readPlainYaml(frontMatter);
  if (plain !== undefined) {
    const offsetIn = (path: FieldPath): number => (plain.offsetOf(path) ?? -1) + 1;
    return {
      kind: 'read',
      text: plain.data,
      values: plain.data,
      warnings: [],
      locate: (path) => positionAt(source, offsetIn(path)),
    };
  }
  const document = parseSource(source);
  const repaired = document === undefined ? undefined : repair(source, document);
  if (repaired !== undefined) {
    const warnings = repaired.scalars.map(({ offset, kind }) => UNQUOTED[kind](positionAt(source, offset)));
    return readDocument(repaired.document, repaired.text, warnings);
  }
  const error = document?.errors[0];
  if (error !== undefined) return { kind: 'broken', finding: yamlError(error, positionAt(source, error.pos[0])) };
  return readDocument(document, source, []);
}

/** The text between the fences with quotes around the scalars that need them; undefined where it is YAML, or quotes do not help. */
export function repairYaml(frontMatter: string): string | undefined {
  const source = `\n${frontMatter}`;
  const document = parseSource(source);
  return document === undefined ? undefined : repair(source, document)?.text.slice(1);
}

/** A front matter as a document, and the text that was parsed: with one line end before it, and quotes where it needs them. */
export interface YamlDocument {
  readonly document: Document.Parsed;
  readonly source: string;
}

/** The text between the fences as YAML's own tree, for those who edit it; undefined where it cannot be read. */
export function parseYaml(frontMatter: string): YamlDocument | undefined {
  const source = `\n${frontMatter}`;
  const document = parseSource(source);
  if (document === undefined || document.errors.length === 0) return document && { document, source };
  const repaired = repair(source, document);
  return repaired && { document: repaired.document, source: repaired.text };
}

interface Repaired extends ReturnType<typeof quoteScalars> {
  readonly document: Document.Parsed;
}

function repair(source: string, broken: Document.Parsed): Repaired | undefined {
  const suspects = broken.errors.filter(mayBeUnquoted).map((error) => error.pos[0]);
  if (suspects.length === 0) return undefined;
  const { text, scalars } = quoteScalars(source, suspects);
  const document = scalars.length === 0 ? undefined : parseSource(text);
  return document?.errors.length === 0 ? { text, scalars, document } : undefined;
}

/**
 * The one way from text to a YAML document: gray-matter with its engines replaced.
 * Its own fences are a trap (any line that starts with `---` closes them), so it gets a closing line that cannot occur
 * here: line ends are normalised, hence no `\r`. Undefined where there is nothing but blanks and comments.
 */
function parseSource(source: string): Document.Parsed | undefined {
  const documents: Document.Parsed[] = [];
  const engines = {
    yaml: (text: string): object => {
      // `logLevel: error` keeps the report of several documents, which `silent` drops.
      documents.push(parseDocument(text, { prettyErrors: false, logLevel: 'error' }));
      return {};
    },
    json: refuse,
    javascript: refuse,
  };
  matter(`---${source}`, { language: 'yaml', delimiters: ['---', '\r'], engines });
  return documents[0];
}

function refuse(): never {
  throw new TypeError('Front matter is YAML; no other language is read.');
}

function readDocument(document: Document.Parsed | undefined, source: string, repairs: readonly Finding[]): YamlReading {
  const root = document?.contents ?? undefined;
  const locate = (path: FieldPath): Position => positionAt(source, offsetOf(root, path));
  if (root !== undefined && !isMap(root))
    return { kind: 'broken', finding: notAMap(positionAt(source, root.range[0])) };
  try {
    const text = readTree(root, 'text');
    const values = readTree(root, 'values');
    const odd =
      document?.warnings.map((warning) => yamlWarning(warning.message, positionAt(source, warning.pos[0]))) ?? [];
    const aliases = text.unknownAliases.map((alias) => unknownAlias(alias.text, positionAt(source, alias.offset)));
    const warnings = [...repairs, ...odd, ...aliases];
    return { kind: 'read', text: text.data, values: values.data, warnings, locate };
  } catch (error) {
    if (!(error instanceof TreeTooLarge)) throw error;
    return { kind: 'broken', finding: tooManyValues() };
  }
}

const UNQUOTED = { colon: unquotedColon, hint: unquotedHint } as const;

/** A map or another token where a text should go on. */
function mayBeUnquoted({ code }: YAMLError): boolean {
  return code === 'BLOCK_AS_IMPLICIT_KEY' || code === 'MULTILINE_IMPLICIT_KEY' || code === 'UNEXPECTED_TOKEN';
}

function yamlError(error: YAMLError, position: Position): Finding {
  return error.code === 'DUPLICATE_KEY' ? duplicateKey(position) : brokenYaml(error.message, position);
}
