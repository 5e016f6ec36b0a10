import * as z from 'zod';

import { PlaybookError } from '../../errors.ts';
import type { JsonObject } from '../../model.ts';
import { LANGUAGE_NAMES, type LanguageFiles, languageFiles } from './languages.ts';

const DEFAULT_LIMIT = 50;
const MOST_MATCHES = 500;
const MOST_CONTEXT = 20;

const oneLine = z
  .string()
  .min(1)
  .regex(/^[^\n\0]*$/, 'must be one line: code is searched line by line');

const searchSchema = z.object({
  query: oneLine,
  regex: z.boolean().default(false),
  ignoreCase: z.boolean().default(false),
  path: z.string().optional(),
  language: z.string().optional(),
  repository: z.string().optional(),
  contextLines: z.number().default(0).transform(clampedTo(0, MOST_CONTEXT)),
  limit: z.number().default(DEFAULT_LIMIT).transform(clampedTo(1, MOST_MATCHES)),
  cursor: z.string().optional(),
});

/** What `code__search` is asked for. */
export type CodeQuery = z.output<typeof searchSchema> & {
  /** Pathspecs of git; [] for every file. */
  readonly pathspecs: readonly string[];
  /** What the pathspecs cannot say. */
  readonly accepts: (path: string) => boolean;
};

/** The JSON Schema of `code__search`. */
export const searchInputSchema: JsonObject = {
  type: 'object',
  properties: {
    query: { type: 'string', minLength: 1, description: 'text to find, or a regular expression with regex: true' },
    regex: { type: 'boolean', default: false, description: 'query is a Perl-compatible regular expression' },
    ignoreCase: { type: 'boolean', default: false },
    path: { type: 'string', description: 'glob of paths in a repository: src/**/*.sql, or a file or folder name' },
    language: { type: 'string', description: 'such as python, or a file extension' },
    repository: { type: 'string', description: 'name of a repository, or a glob: team/*' },
    contextLines: { type: 'integer', default: 0, minimum: 0, maximum: MOST_CONTEXT },
    limit: {
      type: 'integer',
      default: DEFAULT_LIMIT,
      minimum: 1,
      maximum: MOST_MATCHES,
      description: 'matching lines',
    },
    cursor: { type: 'string', description: 'from the end of a result, for the next page' },
  },
  required: ['query'],
  additionalProperties: false,
};

/** @throws PlaybookError `tools/invalid-arguments`. */
export function parseSearchArguments(args: JsonObject): CodeQuery {
  const parsed = searchSchema.safeParse(args);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new PlaybookError('tools/invalid-arguments', `code__search cannot do that: ${problems.join('; ')}.`, {
      hint: 'Correct the arguments and call it again.',
    });
  }
  const { path, language } = parsed.data;
  const paths = path === undefined ? [] : pathspecsOf(path);
  const files = language === undefined ? undefined : filesOf(language);
  return {
    ...parsed.data,
    // Pathspecs widen each other, so only one of the two conditions can be told to git.
    pathspecs: paths.length > 0 ? paths : (files?.pathspecs ?? []),
    accepts: (file) => paths.length === 0 || files === undefined || files.includes(file),
  };
}

function filesOf(language: string): LanguageFiles {
  const files = languageFiles(language);
  if (files !== undefined) return files;
  throw new PlaybookError('tools/invalid-arguments', `There is no language "${language}".`, {
    hint: `Languages: ${LANGUAGE_NAMES.join(', ')}. For other files give path, such as "*.ext".`,
  });
}

/** A glob with a `/` begins at the repository's top folder; one without fits a file or folder anywhere. A folder means all in it. */
function pathspecsOf(written: string): readonly string[] {
  const path = written.trim().replace(/^(?:\.?\/)+/, '');
  if (path.split('/').includes('..')) {
    throw new PlaybookError('tools/invalid-arguments', `The path "${written}" leads out of the repository.`, {
      hint: 'Paths begin at the top folder of a repository.',
    });
  }
  if (path === '' || path === '.') return [];
  const glob = path.includes('/') ? path.replace(/\/+$/, '') : `**/${path}`;
  return [`:(glob)${glob}`, `:(glob)${glob}/**`];
}

function clampedTo(least: number, most: number): (value: number) => number {
  return (value) => Math.min(Math.max(Math.trunc(value), least), most);
}
