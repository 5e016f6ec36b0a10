import { createHash } from 'node:crypto';

const LONGEST_ID = 64;
const HASH_LENGTH = 8;

/** A tool by its two names, as configured and as the upstream knows it. */
export interface ToolName {
  readonly server: string;
  readonly tool: string;
}

/**
 * Ids for tools, in the order given: `server__tool` with every character outside `A-Za-z0-9_-` as `_`.
 * One longer than 64 is cut and ends in a hash of both names. Of several that would share an id, the one that needed no
 * change keeps it and every other ends in its hash, so an id depends on the names alone and never on the order of arrival.
 */
export function nameTools(tools: readonly ToolName[]): readonly string[] {
  const plain = tools.map((tool) => safeId(tool));
  const owners = new Map<string, number[]>();
  for (const [index, id] of plain.entries()) {
    const sharing = owners.get(id);
    if (sharing) sharing.push(index);
    else owners.set(id, [index]);
  }
  return tools.map((tool, index) => {
    const id = plain[index] ?? safeId(tool);
    const sharing = owners.get(id) ?? [];
    if (sharing.length < 2) return id;
    const unchanged = sharing.filter((other) => isUnchanged(tools[other], id));
    return unchanged.length === 1 && unchanged[0] === index ? id : withHash(id, tool);
  });
}

/** How the ids of a server's tools begin, but for those that are cut. */
export function toolPrefixOf(server: string): string {
  return safe(`${server}__`);
}

function safe(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/g, '_');
}

function safeId(tool: ToolName): string {
  const id = safe(joined(tool));
  return id.length > LONGEST_ID ? withHash(id, tool) : id;
}

function isUnchanged(tool: ToolName | undefined, id: string): boolean {
  return tool !== undefined && joined(tool) === id;
}

function joined({ server, tool }: ToolName): string {
  return `${server}__${tool}`;
}

function withHash(id: string, { server, tool }: ToolName): string {
  // The separator cannot occur in a name, so `a` + `b__c` and `a__b` + `c` differ.
  const hash = createHash('sha256').update(`${server}\0${tool}`, 'utf8').digest('hex').slice(0, HASH_LENGTH);
  return `${id.slice(0, LONGEST_ID - HASH_LENGTH - 1)}_${hash}`;
}
