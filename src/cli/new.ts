import { stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { closestIds } from '../catalog/closest.ts';
import { PlaybookError } from '../errors.ts';
import { type NewFile, writeNewFiles } from '../files/new-files.ts';
import { isSystemError } from '../files/places.ts';
import { checkNewId, isAdvisedId } from '../files/playbook-id.ts';
import type { Entry, Playbook } from '../model.ts';
import { composeBody, composeFrontMatter } from '../playbooks/compose.ts';
import { entryWithId, nearestOf, newPathOf, parseNew, playbookFolderOf } from '../server/new-playbook.ts';
import type { Snapshot } from '../server/snapshot.ts';
import { summaryOf } from '../server/summary.ts';
import { askMissing } from './new/ask.ts';
import { convert } from './new/convert.ts';
import { fieldsOf, type NewOptions } from './new/flags.ts';
import { mappedFields } from './new/mapped.ts';
import { type CommonOptions, withRuntime } from './options.ts';
import { dim, green, print, printJson, remark, yellow } from './print.ts';
import { nameFromId } from '../playbooks/name-from-id.ts';

/**
 * Writes a new playbook, out of flags, answers or a foreign skill, where nothing is yet.
 *
 * @throws PlaybookError `cli/usage`, `files/bad-id`, `files/exists`, `files/unwritable`, `files/unreadable`, `catalog/taken-id`.
 */
export async function newCommand(common: CommonOptions, options: NewOptions): Promise<void> {
  const given = options.id === undefined ? undefined : checkNewId(options.id);
  await withRuntime({ ...common, listsUpstreams: false }, async (runtime) => {
    const snapshot = await runtime.snapshot();
    if (given !== undefined) refuseTakenId(snapshot, given, options);
    const { id, draft } = await draftOf(given, options);
    if (given === undefined) refuseTakenId(snapshot, id, options);
    const otherwise = join(snapshot.workspace?.root ?? process.cwd(), '.playbooks');
    const folder = resolve(options.dir ?? playbookFolderOf(snapshot, otherwise).folder);
    const path = newPathOf({ id, shape: draft.shape });
    const playbook = parsed(draft, id, folder);
    await refuseOtherShape(folder, { id, shape: draft.shape });
    const supporting = draft.supporting.map((file) => ({ ...file, path: `${id}/${file.path}` }));
    await writeNewFiles(folder, [{ path, content: draft.text }, ...supporting]);
    const near = nearestOf(snapshot, playbook);
    if (options.json === true) {
      printJson({ id, path: join(folder, path), nearest: near.map((entry) => entry.id), changes: draft.changes });
      return;
    }
    print(relative(process.cwd(), join(folder, path)) || path);
    tell(draft, playbook, { snapshot, near });
  });
}

interface Draft {
  readonly text: string;
  readonly shape: 'file' | 'folder';
  readonly supporting: readonly NewFile[];
  /** What a conversion did; undefined for a playbook that was not converted. */
  readonly changes?: readonly string[];
}

/** What is to be written, and under which id: the one that was given, else the one that its name where it comes from gives. */
async function draftOf(
  given: string | undefined,
  options: NewOptions,
): Promise<{ readonly id: string; readonly draft: Draft }> {
  const { from } = options;
  if (from !== undefined) {
    const draft = await convertFrom(options, from);
    return { id: given ?? checkNewId(idOf(draft, from)), draft };
  }
  if (given === undefined) {
    throw new PlaybookError('cli/usage', 'A new playbook needs an id, such as deploy/roll-back.', {
      hint: 'Write playbook-mcp new <id>; only --from takes the id from what it converts.',
    });
  }
  return { id: given, draft: await compose(given, options) };
}

/** The name of a foreign playbook as an id; that of its folder or file where it has none, or one that makes none. */
function idOf({ text, shape }: Draft, from: string): string {
  const path = resolve(from).replace(/[\\/]SKILL\.md$/i, '');
  const ofFile = basename(path, extname(path));
  const outcome = parseNew(text, { id: ofFile, shape, folder: dirname(path) });
  return (outcome.kind === 'playbook' ? wordsOf(outcome.playbook.name) : '') || wordsOf(ofFile);
}

function wordsOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

async function compose(id: string, options: NewOptions): Promise<Draft> {
  const { description = '', ...fields } = fieldsOf(await askMissing(options));
  const name = nameFromId(id);
  const text = composeFrontMatter({ name, description, ...fields }) + composeBody(fields.parameters ?? []);
  return { text, shape: options.shape, supporting: [] };
}

async function convertFrom(options: NewOptions, from: string): Promise<Draft> {
  const { parameters = [], ...fields } = fieldsOf(options);
  if (parameters.length > 0) {
    throw new PlaybookError('cli/usage', '--parameter and --from do not go together.', {
      hint: 'Declare parameters in the new file: which of its places they belong to is for you to say.',
    });
  }
  const added = Object.entries(fields).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  return convert(from, Object.fromEntries(added));
}

/** The playbook as it will be read. @throws PlaybookError `files/unreadable` where it would not be served. */
function parsed({ text, shape }: Draft, id: string, folder: string): Playbook {
  const outcome = parseNew(text, { id, shape, folder });
  if (outcome.kind === 'playbook') {
    for (const { line, message } of outcome.diagnostics) remark(`${yellow('warning')}: line ${line}: ${message}`);
    return outcome.playbook;
  }
  const [first] = outcome.kind === 'unreadable' ? outcome.diagnostics : [];
  throw new PlaybookError('files/unreadable', `It would not be served: ${first?.message ?? 'it is empty'}`, {
    hint: first?.hint ?? 'Give it a text.',
  });
}

/** @throws PlaybookError `catalog/taken-id`. */
function refuseTakenId({ catalog }: Snapshot, id: string, { forceShadow }: NewOptions): void {
  const taken = entryWithId(catalog, id);
  if (taken === undefined) {
    if (!isAdvisedId(id))
      remark(`${yellow('warning')}: ids are best lower-case words with hyphens, as deploy/roll-back.`);
    return;
  }
  const where = taken.kind === 'playbook' ? taken.playbook.path : `the server ${taken.source}`;
  const message = `The id "${id}" is taken by ${taken.id} of ${taken.source} (${where}).`;
  if (forceShadow !== true) {
    throw new PlaybookError('catalog/taken-id', message, {
      hint: 'Change that one, choose another id, or give --force-shadow to have both.',
    });
  }
  remark(`${yellow('warning')}: ${message} Search shows which of the two the id means.`);
}

/** `x.md` beside `x/SKILL.md` would be hidden by it. @throws PlaybookError `files/exists`. */
async function refuseOtherShape(
  folder: string,
  { id, shape }: Pick<Draft, 'shape'> & { readonly id: string },
): Promise<void> {
  const other = join(folder, newPathOf({ id, shape: shape === 'file' ? 'folder' : 'file' }));
  try {
    await stat(other);
  } catch (error) {
    if (isSystemError(error)) return;
    throw error;
  }
  throw new PlaybookError('files/exists', `${other} has this id already, and nothing is overwritten.`, {
    hint: 'Choose another id, or change what is there.',
  });
}

interface Surroundings {
  readonly snapshot: Snapshot;
  readonly near: readonly Entry[];
}

function tell(draft: Draft, playbook: Playbook, { snapshot: { catalog }, near }: Surroundings): void {
  remark(green(`Written${draft.supporting.length === 0 ? '' : `, with ${draft.supporting.length} supporting files`}.`));
  if (draft.changes !== undefined)
    for (const line of [...mappedFields(playbook), ...draft.changes]) remark(`  ${line}`);
  for (const id of playbook.references.filter(
    (each) => !catalog.byId.has(each) && !catalog.byName.has(each.toLowerCase()),
  )) {
    const closest = closestIds(catalog.byId.keys(), id);
    const hint = closest.length === 0 ? '' : ` Closest: ${closest.join(', ')}.`;
    remark(`${yellow('warning')}: there is no playbook "${id}" to refer to.${hint}`);
  }
  if (near.length > 0) {
    remark(`${yellow('note')}: these answer its description; does one of them do already?`);
    for (const { id, description } of near) remark(`  ${id}: ${summaryOf(description, 80)}`);
  }
  remark(
    dim(`Next: fill it in, then playbook-mcp lint, playbook-mcp eval ${playbook.id}, playbook-mcp show ${playbook.id}`),
  );
}
