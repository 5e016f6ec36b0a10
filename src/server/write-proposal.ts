import { isAbsolute, join, relative, resolve } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { buildCatalog, type Catalog, qualifiedIdOf } from '../catalog/catalog.ts';
import type { Config } from '../config/index.ts';
import { PlaybookError } from '../errors.ts';
import { isInside, realPathOf } from '../files/places.ts';
import { writeNewFiles } from '../files/new-files.ts';
import type { Workspace } from '../files/workspace.ts';
import type { Entry, JsonObject, Playbook } from '../model.ts';
import { lintNew } from './lint-new.ts';
import { entryWithId, nearestOf, type NewPlace, newPathOf, parseNew, playbookFolderOf } from './new-playbook.ts';
import { readBackProblems, readProposal } from './proposal.ts';
import { entriesIn, findRepeated } from './duplicate-lookup.ts';
import { duplicateOf, similarLines } from './proposal-neighbours.ts';
import type { Snapshot } from './snapshot.ts';

/** What a proposal is compared with, and where it may go. */
export interface ProposalSetting {
  readonly snapshot: Snapshot;
  readonly config: Config;
  /** Drafts written before that the snapshot may not show yet; what is written now is added. */
  readonly recent: Set<Playbook>;
}

/**
 * Writes a proposed playbook as a draft, where nothing speaks against it, and answers with its path and id.
 *
 * @param args as `playbooks__propose` declares them
 * @throws PlaybookError `workspace/not-allowed`, `tools/invalid-arguments`, `catalog/taken-id`, `catalog/duplicate`, `files/exists`,
 *   `files/unwritable`.
 */
export async function writeProposal(args: JsonObject, setting: ProposalSetting): Promise<CallToolResult> {
  const { snapshot, config, recent } = setting;
  const workspace = writableWorkspace(snapshot, config);
  const proposal = readProposal(args);
  // What has no id yet is read under another one, so that everything that is wrong is told at once.
  const place = placeOf(snapshot, { id: proposal.id ?? 'draft', workspace, folders: config.workspace.folders });
  const outcome = parseNew(proposal.text, place);
  const problems = [...proposal.problems, ...readBackProblems(proposal, outcome)];
  if (outcome.kind !== 'playbook') throw invalid(problems);
  const { playbook } = outcome;
  const catalog = withDraft(snapshot.catalog, playbook);
  const lint = await lintNew({ catalog, playbook, text: proposal.text, levels: config.lint.rules });
  const all = [...problems, ...lint.errors];
  if (all.length > 0) throw invalid(all);
  refuseTakenId({ snapshot, catalog, config, playbook });
  const unseen = await unseenIn(snapshot.catalog, recent, workspace);
  const repeated = await findRepeated(playbook, unseen.reduce(withDraft, snapshot.catalog));
  const duplicate = repeated.find(({ kind }) => kind !== 'same-name');
  if (duplicate !== undefined) throw await duplicateOf(duplicate, playbook);
  const path = newPathOf(place);
  await writeNewFiles(place.folder, [{ path, content: proposal.text }], workspace.root);
  recent.add(playbook);
  const similar = [...repeated.map(({ entry }) => entry), ...nearestOf(snapshot, playbook)];
  return answer({ playbook, workspace, similar, warnings: lint.warnings });
}

/** @throws PlaybookError `workspace/not-allowed`. */
function writableWorkspace({ workspace }: Snapshot, config: Config): Workspace {
  if (workspace !== undefined && config.workspace.policy === 'all') return workspace;
  throw new PlaybookError(
    'workspace/not-allowed',
    'Nothing was written: playbooks of repositories are off here, so nobody would find it.',
    { hint: `The person who runs the server can change \`workspace.policy\` ("${config.workspace.policy}").` },
  );
}

interface WantedPlace {
  readonly id: string;
  readonly workspace: Workspace;
  /** `workspace.folders` of the configuration. */
  readonly folders: readonly string[];
}

/** @throws PlaybookError `workspace/not-allowed` where no folder of the workspace is looked into. */
function placeOf(snapshot: Snapshot, { id, workspace, folders }: WantedPlace): NewPlace {
  const within = folders.filter(
    (folder) => !isAbsolute(folder) && isInside(resolve(workspace.root, folder), workspace.root),
  );
  const usual = within.find((folder) => folder === '.playbooks') ?? within[0];
  if (usual === undefined) {
    throw new PlaybookError(
      'workspace/not-allowed',
      'Nothing was written: `workspace.folders` names no folder of the repository.',
      {
        hint: 'The person who runs the server can add ".playbooks" to `workspace.folders`.',
      },
    );
  }
  const { folder, shape } = playbookFolderOf(snapshot, join(workspace.root, usual));
  // Any other markdown file below a skill belongs to it and is no playbook.
  const isInSkill = snapshot.catalog.entries.some(
    (entry) =>
      entry.kind === 'playbook' &&
      entry.playbook.source.kind === 'workspace' &&
      entry.playbook.shape === 'folder' &&
      id.startsWith(`${entry.playbook.id}/`),
  );
  return { id, folder, shape: isInSkill ? 'folder' : shape };
}

/** The catalog as it will be with the draft. */
function withDraft(catalog: Catalog, draft: Playbook): Catalog {
  const { entries, quarantined } = catalog;
  return buildCatalog({
    playbooks: [draft, ...entriesIn(catalog).keys()],
    tools: entries.flatMap((entry) => (entry.kind === 'tool' ? [entry.tool] : [])),
    quarantined: [...quarantined.values()],
  });
}

/** Drafts of a workspace that have not been loaded yet. Those that have been, or that are gone, are forgotten. */
async function unseenIn(
  { entries }: Catalog,
  recent: Set<Playbook>,
  { root }: Workspace,
): Promise<readonly Playbook[]> {
  const loaded = new Set(entries.flatMap((entry) => (entry.kind === 'playbook' ? [entry.playbook.path] : [])));
  const own = [...recent].filter(({ path }) => isInside(path, root));
  for (const draft of own) {
    if (loaded.has(draft.path) || (await realPathOf(draft.path)) === undefined) recent.delete(draft);
  }
  return own.filter((draft) => recent.has(draft));
}

function invalid(problems: readonly string[]): PlaybookError {
  const lines = [...new Set(problems)].map((problem) => `- ${problem}`);
  return new PlaybookError('tools/invalid-arguments', `Nothing was written. What is wrong:\n${lines.join('\n')}`, {
    hint: 'Correct all of it and call again.',
  });
}

interface Draft {
  readonly snapshot: Snapshot;
  /** With the draft in it. */
  readonly catalog: Catalog;
  readonly config: Config;
  readonly playbook: Playbook;
}

/** @throws PlaybookError `catalog/taken-id` where the id means something else, or would not mean the draft. */
function refuseTakenId({ snapshot, catalog, config, playbook }: Draft): void {
  const { id } = playbook;
  const taken = entryWithId(snapshot.catalog, id);
  const retired = config.retired.get(id) ?? config.retired.get(qualifiedIdOf(playbook));
  if (taken !== undefined) throw takenId(id, taken);
  if (retired !== undefined) {
    const { reason = 'no reason is given', replacedBy } = retired;
    throw new PlaybookError('catalog/taken-id', `Nothing was written: the configuration retires "${id}" (${reason}).`, {
      hint: replacedBy === undefined ? 'Choose another id.' : `Use ${replacedBy}, or choose another id.`,
    });
  }
  if (catalog.entries.some((entry) => entry.id === id)) return;
  throw new PlaybookError(
    'catalog/taken-id',
    `Nothing was written: "${id}" is the name of another entry, which calls by that name mean.`,
    {
      hint: 'Choose an id that says what is different.',
    },
  );
}

function takenId(id: string, taken: Entry): PlaybookError {
  const { reason, replacedBy } = taken.deprecation ?? {};
  const where = taken.kind === 'playbook' ? `the playbook ${taken.id} of ${taken.source}` : `a tool of ${taken.source}`;
  const why = taken.status === 'retired' ? `, which is retired${reason === undefined ? '' : `: ${reason}`}` : '';
  const replacement = replacedBy === undefined ? '' : ` It was replaced by ${replacedBy}.`;
  return new PlaybookError(
    'catalog/taken-id',
    `Nothing was written: "${id}" is taken by ${where}${why}.${replacement}`,
    {
      hint: `Execute ${replacedBy ?? taken.id} to see whether it does already; else choose another id.`,
    },
  );
}

interface Written {
  readonly playbook: Playbook;
  readonly workspace: Workspace;
  /** Entries on like subjects. */
  readonly similar: readonly Entry[];
  readonly warnings: readonly string[];
}

function answer({ playbook, workspace, similar, warnings }: Written): CallToolResult {
  const { id, path } = playbook;
  const text = [
    `Saved as a draft: ${path}`,
    `id: ${id}. In a moment search finds it, in ${workspace.label} only and marked "draft"; execute gives it.`,
    `A person reviews it: tell yours that ${relative(workspace.root, path)} is to be read, committed, and set to \`status: active\`.`,
    ...similarLines(similar),
    ...(warnings.length === 0
      ? []
      : ['It would be better without these:', ...warnings.map((warning) => `- ${warning}`)]),
  ].join('\n');
  return { content: [{ type: 'text', text }], _meta: { 'playbook-mcp/proposal': { id, path } } };
}
