import { basename, dirname } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { resolveAddress } from '../catalog/lookup.ts';
import { resolveReferences } from '../catalog/references.ts';
import { exceedsTokens, tokenCountOf } from '../catalog/tokens.ts';
import { PlaybookError } from '../errors.ts';
import type { Entry, JsonObject, PlaybookEntry } from '../model.ts';
import { renderPlaybook } from '../playbooks/render.ts';
import { leadSection, outlineOf, sectionOf } from '../playbooks/sections.ts';
import { cutText } from '../tools/cut-text.ts';
import { referenceLine, section } from './get-schema-tool.ts';
import type { PendingCall } from './confirm.ts';
import type { Answer } from './input-rounds.ts';
import type { Caller } from './mcp-server.ts';
import type { Snapshot } from './snapshot.ts';
import type { ExecuteArguments } from './tool-arguments.ts';
import { readListedFile, supportingFilesOf } from './supporting-files.ts';
import type { Validators } from './validators.ts';

export interface ExecuteContext {
  readonly snapshot: Snapshot;
  readonly caller: Caller;
  readonly resultTokens: number;
  readonly validators: Validators;
  /** Asks for the confirmation that a call needs; see `confirmCall`. */
  readonly confirm: (call: PendingCall) => Promise<void>;
  /** Calls a wrapped tool and gives the upstream's own result. */
  readonly callTool: (id: string, args: JsonObject, caller: Caller) => Promise<Answer>;
}

/** Answers `execute`: a playbook's text, a section or file of it, or a wrapped tool's own result once the call is confirmed. */
export async function executeTool(context: ExecuteContext, given: ExecuteArguments): Promise<Answer> {
  const address = resolveAddress(context.snapshot.catalog, given.id);
  const { entry } = address;
  if (entry.status === 'retired') throw retired(entry);
  if (address.kind === 'file') return supportingFile(context, address.entry, address.file);
  await checkArguments(context.validators, entry, given.arguments);
  if (entry.kind === 'tool') {
    const { caller, confirm, callTool } = context;
    await confirm({ entry, arguments: given.arguments, confirm: given.confirm, caller });
    return callTool(entry.id, given.arguments, caller);
  }
  const body = renderPlaybook(entry.playbook, given.arguments);
  if (address.kind === 'section') {
    return textResult(
      withinLimit(oneSection(entry, body, address.heading), toldPath(context, entry.playbook), context.resultTokens),
    );
  }
  return textResult(wholePlaybook(context, entry, body));
}

type RenderContext = Pick<ExecuteContext, 'snapshot' | 'resultTokens' | 'validators'>;

/**
 * What `execute` gives for a playbook with these arguments.
 *
 * @throws PlaybookError `catalog/retired`, `tools/invalid-arguments`.
 */
export async function playbookText(context: RenderContext, entry: PlaybookEntry, args: JsonObject): Promise<string> {
  if (entry.status === 'retired') throw retired(entry);
  await checkArguments(context.validators, entry, args);
  return wholePlaybook(context, entry, renderPlaybook(entry.playbook, args));
}

type Rendering = Omit<RenderContext, 'validators'>;

function wholePlaybook({ snapshot, resultTokens }: Rendering, entry: PlaybookEntry, body: string): string {
  const isTooLong = exceedsTokens(body, resultTokens);
  const { playbooks } = resolveReferences(snapshot.catalog, entry.playbook);
  const paths = supportingFilesOf(snapshot.catalog, entry.playbook);
  const about = [
    ...deprecationLines(entry),
    ...(entry.playbook.source.isTrusted
      ? []
      : [`Origin: ${entry.source}, a repository that nobody has marked as trusted.`]),
  ];
  const lists = [
    ...section('References (execute one when a step needs it)', playbooks.map(referenceLine)),
    ...section(
      'Supporting files (execute one to read it)',
      paths.map((file) => `${entry.id}/${file}`),
    ),
    ...(snapshot.isRemote ? [] : folderLines(entry, paths)),
  ];
  return [
    ...(about.length === 0 ? [] : [about.join('\n')]),
    isTooLong ? outlineAndLead({ snapshot, resultTokens }, entry, body) : body.trim(),
    ...(lists.length === 0 ? [] : [`---\n${lists.join('\n')}`]),
  ].join('\n\n');
}

/** A playbook over the limit is given as its parts, so that the agent pays for those that it needs. */
function outlineAndLead(context: Rendering, entry: PlaybookEntry, body: string): string {
  const headings = outlineOf(body).map(
    ({ level, text, slug }) => `${'  '.repeat(level - 1)}- ${text}: ${entry.id}#${slug}`,
  );
  const lead = withinLimit(leadSection(body).trim(), toldPath(context, entry.playbook), context.resultTokens);
  const size = `This playbook is long (${tokenCountOf(body)} tokens).`;
  if (headings.length === 0) return [size, lead].join('\n\n');
  return [`${size} Its outline; execute an id to read that section:`, headings.join('\n'), 'It begins:', lead].join(
    '\n\n',
  );
}

/** @throws PlaybookError `catalog/unknown-section` naming those that there are. */
export function oneSection(entry: PlaybookEntry, body: string, heading: string): string {
  const found = sectionOf(body, heading);
  if (found !== undefined) return found.trim();
  const known = outlineOf(body).map(({ slug }) => `${entry.id}#${slug}`);
  throw new PlaybookError('catalog/unknown-section', `${entry.id} has no section "${heading}".`, {
    hint: known.length === 0 ? `Execute ${entry.id} to read it whole.` : `Its sections: ${known.join(', ')}.`,
  });
}

async function supportingFile(context: ExecuteContext, entry: PlaybookEntry, path: string): Promise<CallToolResult> {
  const file = await readListedFile(context.snapshot.catalog, entry.playbook, path);
  if (file.kind === 'text') return textResult(withinLimit(file.text, toldPath(context, file), context.resultTokens));
  if (file.kind === 'image') return { content: [{ type: 'image', data: file.base64, mimeType: file.mimeType }] };
  const where = toldPath(context, file) ?? 'read it as a resource';
  return textResult(`${basename(path)} is a binary file of ${file.bytes.length} bytes: ${where}`);
}

/** Where a file is, for a caller on this machine. */
function toldPath(
  { snapshot }: Pick<RenderContext, 'snapshot'>,
  { path }: { readonly path: string },
): string | undefined {
  return snapshot.isRemote ? undefined : path;
}

/** The text, or as much of it as the limit allows with a word on what is missing and the file where it is. */
function withinLimit(text: string, path: string | undefined, limit: number): string {
  if (!exceedsTokens(text, limit)) return text;
  const piece = cutText(text, limit).take(0, { tokens: limit, isWholePage: true });
  return `${piece?.text ?? ''}\n\n[Cut: about ${limit} of ${tokenCountOf(text)} tokens are shown. The whole text is ${path === undefined ? 'given as a resource' : `in ${path}`}.]`;
}

/** A skill's scripts are run from its folder, so the agent is told where that is. */
function folderLines(entry: PlaybookEntry, paths: readonly string[]): readonly string[] {
  const { playbook } = entry;
  if (playbook.shape !== 'folder' || !paths.some((path) => path.startsWith('scripts/'))) return [];
  return [`Folder: ${dirname(playbook.path)} (paths in the text are relative to it)`];
}

function deprecationLines(entry: Entry): readonly string[] {
  if (entry.status !== 'deprecated') return [];
  const { reason, replacedBy, since } = entry.deprecation ?? {};
  return [
    [
      'This playbook is deprecated',
      since && ` since ${since}`,
      reason && `: ${reason}`,
      '.',
      replacedBy && ` Use ${replacedBy} instead.`,
    ]
      .filter(Boolean)
      .join(''),
  ];
}

/** The refusal of a retired entry, with what replaces it. */
export function retired(entry: Entry): PlaybookError {
  const { reason, replacedBy } = entry.deprecation ?? {};
  return new PlaybookError('catalog/retired', `${entry.id} is retired${reason === undefined ? '' : `: ${reason}`}.`, {
    hint: replacedBy === undefined ? 'Call search to find what is used now.' : `Execute ${replacedBy} instead.`,
  });
}

/**
 * Names every field at fault at once, and gives the schema: the next call should be right.
 *
 * @throws PlaybookError `tools/invalid-arguments`.
 */
export async function checkArguments(validators: Validators, entry: Entry, given: JsonObject): Promise<void> {
  const problems = await validators.check(entry, given);
  if (problems.length === 0) return;
  const lines = problems.map(
    ({ path, message, expected }) => `- ${path === '' ? 'arguments' : path}: ${message}; expected ${expected}`,
  );
  throw new PlaybookError(
    'tools/invalid-arguments',
    `${entry.id} was not executed. Wrong arguments:\n${lines.join('\n')}`,
    {
      hint: `Arguments (JSON Schema): ${JSON.stringify(entry.inputSchema)}`,
    },
  );
}

function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}
