import type { CallToolResult } from '@modelcontextprotocol/server';
import { closureTokens } from '../catalog/graph.ts';
import { resolveAddress } from '../catalog/lookup.ts';
import { tokenCountOf } from '../catalog/tokens.ts';
import { resolveReferences } from '../catalog/references.ts';
import { PlaybookError } from '../errors.ts';
import type { Entry, PlaybookEntry, ToolEntry } from '../model.ts';
import type { Snapshot } from './snapshot.ts';
import { supportingFilesOf } from './supporting-files.ts';
import { marksOf, summaryOf } from './summary.ts';
import type { GetSchemaArguments } from './tool-arguments.ts';

/** Answers `get_schema`: everything about each entry; an unknown id is answered in its place and spoils no other. */
export function getSchemaTool(
  snapshot: Snapshot,
  given: GetSchemaArguments,
  unavailable: ReadonlyMap<string, PlaybookError> = new Map(),
): CallToolResult {
  const ids = [...new Set(given.ids)];
  const answers = ids.map((id) => describeId(snapshot, id, unavailable.get(id)));
  const isError = answers.every((answer) => answer.isError);
  return {
    content: [{ type: 'text', text: answers.map((answer) => answer.text).join('\n\n') }],
    ...(isError ? { isError } : {}),
  };
}

function describeId(
  snapshot: Snapshot,
  id: string,
  unavailable: PlaybookError | undefined,
): { text: string; isError: boolean } {
  try {
    if (unavailable !== undefined) throw unavailable;
    const { entry } = resolveAddress(snapshot.catalog, id);
    const lines = entry.kind === 'playbook' ? describePlaybook(snapshot, entry) : describeTool(entry);
    return { text: lines.join('\n'), isError: false };
  } catch (error) {
    if (!(error instanceof PlaybookError)) throw error;
    return { text: [`# ${id}`, error.message, error.hint].filter(Boolean).join('\n'), isError: true };
  }
}

function describePlaybook({ catalog }: Snapshot, entry: PlaybookEntry): readonly string[] {
  const { playbook } = entry;
  const own = tokenCountOf(playbook.body);
  const whole = closureTokens(catalog, entry);
  const { playbooks, dangling } = resolveReferences(catalog, playbook);
  return [
    ...heading(entry, [`source ${entry.source}`, ...(playbook.owner === undefined ? [] : [`owner ${playbook.owner}`])]),
    ...(Object.keys(properties(entry)).length === 0
      ? ['Arguments: none']
      : [`Arguments (JSON Schema): ${JSON.stringify(entry.inputSchema)}`]),
    `Size: ${own} tokens${whole > own ? `, ${whole} with all that it references` : ''}`,
    ...section('References (execute one when a step needs it)', playbooks.map(referenceLine)),
    ...section(
      'Uses tools',
      playbook.tools.map((tool) => (catalog.byId.has(tool) ? tool : `${tool} (not in the catalog)`)),
    ),
    ...section(
      'Supporting files',
      supportingFilesOf(catalog, playbook).map((file) => `${entry.id}/${file}`),
    ),
    ...section(
      'Dangling references',
      dangling.map(({ written }) => written),
    ),
  ];
}

function describeTool(entry: ToolEntry): readonly string[] {
  const { annotations, server, serverInstructions } = entry.tool;
  const risks = [
    annotations.readOnlyHint === true ? 'read-only' : annotations.readOnlyHint === false ? 'writes' : undefined,
    annotations.readOnlyHint === true ? undefined : hint(annotations.destructiveHint, 'destructive', 'not destructive'),
    hint(annotations.idempotentHint, 'idempotent', undefined),
    hint(annotations.openWorldHint, 'open-world', 'closed-world'),
  ].filter((risk) => risk !== undefined);
  return [
    ...heading(entry, [`server ${server}`]),
    `Annotations: ${risks.length === 0 ? 'none given' : risks.join(', ')}`,
    `Arguments (JSON Schema): ${JSON.stringify(entry.inputSchema)}`,
    ...(serverInstructions === undefined
      ? []
      : [`${server} says of itself:\n  ${serverInstructions.replace(/\n/g, '\n  ')}`]),
  ];
}

/** One referenced playbook on one line. */
export function referenceLine(entry: Entry): string {
  const marks = marksOf(entry).map((mark) => ` [${mark}]`);
  return `${entry.id}: ${summaryOf(entry.description, 120)}${marks.join('')}`;
}

/** A heading and its lines as a list; [] where there are none. */
export function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `- ${line}`)];
}

function heading(entry: Entry, origin: readonly string[]): readonly string[] {
  const about = [entry.kind, entry.status, ...origin, ...marksOf(entry).filter((mark) => mark !== entry.status)];
  return [
    `# ${entry.id}${entry.name === entry.id ? '' : ` (${entry.name})`}`,
    about.join(' · '),
    // Indented, so that a description of several lines cannot pass for what we say ourselves.
    entry.description.trim().replace(/\n/g, '\n  '),
    ...(entry.deprecation?.reason === undefined ? [] : [`Why it is ${entry.status}: ${entry.deprecation.reason}`]),
    ...(entry.tags.length === 0 ? [] : [`Tags: ${entry.tags.join(' ')}`]),
  ].filter((line) => line !== '');
}

function properties(entry: Entry): object {
  const schema = entry.inputSchema;
  return typeof schema === 'object' && typeof schema['properties'] === 'object' ? (schema['properties'] ?? {}) : {};
}

function hint(value: boolean | undefined, yes: string, no: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  return value ? yes : no;
}
