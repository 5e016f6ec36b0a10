import { lstat, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { PlaybookError } from '../../errors.ts';
import type { NewFile } from '../../files/new-files.ts';
import { isSystemError, realPathOf } from '../../files/places.ts';
import { adoptMarkdown, type Adopted, adoptRecipe } from '../../playbooks/adopt.ts';
import { decodeExactly } from '../../playbooks/decode.ts';

/** A foreign playbook, ready to be written. */
export interface Converted {
  /** The playbook's own text. */
  readonly text: string;
  readonly shape: 'file' | 'folder';
  /** Paths beside its `SKILL.md`. */
  readonly supporting: readonly NewFile[];
  readonly changes: readonly string[];
}

/** No skill that people share has more; a mistyped `--from ~` does. */
const MOST_FILES = 500;
const MOST_BYTES = 1024 * 1024;

/**
 * Reads a foreign skill folder, or a single command, rule, microagent or recipe.
 *
 * @param added front matter to put in, by key
 * @throws PlaybookError `files/unreadable`.
 */
export async function convert(written: string, added: Readonly<Record<string, unknown>>): Promise<Converted> {
  const path = await realPathOf(resolve(written));
  if (path === undefined) throw unreadable(written, 'there is no such file or folder');
  if (!(await lstat(path)).isDirectory() && basename(path).toUpperCase() !== 'SKILL.MD') {
    const { text, changes } = adopt(path, await readText(path, written), added);
    return { text, changes, shape: 'file', supporting: [] };
  }
  const folder = basename(path).toUpperCase() === 'SKILL.MD' ? dirname(path) : path;
  const names = await readdir(folder);
  const main = names.find((name) => name === 'SKILL.md') ?? names.find((name) => name.toUpperCase() === 'SKILL.MD');
  if (main === undefined) throw unreadable(written, 'the folder has no SKILL.md');
  const { text, changes } = adopt(main, await readText(join(folder, main), written), added);
  const notes: string[] = [];
  const supporting: NewFile[] = [];
  for await (const file of filesBelow(folder, '', notes)) if (file.path !== main) supporting.push(file);
  return { text, shape: 'folder', supporting, changes: [...changes, ...notes] };
}

function adopt(path: string, text: string, added: Readonly<Record<string, unknown>>): Adopted {
  if (!/^\.ya?ml$/i.test(extname(path))) return adoptMarkdown(text, added);
  const adopted = adoptRecipe(text, added);
  if (adopted === undefined) throw unreadable(path, 'it is no recipe: it has neither `instructions` nor `prompt`');
  return adopted;
}

async function* filesBelow(folder: string, below: string, notes: string[]): AsyncGenerator<NewFile> {
  let count = 0;
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.name === '.git' || entry.name === 'node_modules') notes.push(`${path}: left out`);
    else if (entry.isDirectory()) yield* filesBelow(folder, path, notes);
    else if (!entry.isFile()) notes.push(`${path}: left out, as it is a link or no file`);
    else {
      count += 1;
      if (count > MOST_FILES) throw unreadable(folder, `it holds more than ${MOST_FILES} files`);
      const { mode } = await lstat(join(folder, path));
      yield { path, content: await readFile(join(folder, path)), isExecutable: (mode & 0o100) !== 0 };
    }
  }
}

async function readText(path: string, written: string): Promise<string> {
  try {
    const bytes = await readFile(path);
    if (bytes.length > MOST_BYTES) throw unreadable(written, 'it is larger than 1 MiB');
    return decodeExactly(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw unreadable(written, 'it is not UTF-8');
    if (isSystemError(error)) throw unreadable(written, error.message);
    throw error;
  }
}

function unreadable(path: string, reason: string): PlaybookError {
  return new PlaybookError('files/unreadable', `${path} cannot be taken over: ${reason}.`, {
    hint: 'Give a folder with a SKILL.md, a markdown file (.md, .mdc), or a goose recipe (.yaml).',
  });
}
