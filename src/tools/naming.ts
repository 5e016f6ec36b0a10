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
  return tellApart(
    tools.map(({ server, tool }) => {
      const written = `${server}__${tool}`;
      // The separator cannot occur in a name, so `a` + `b__c` and `a__b` + `c` differ.
      return { written, safe: safe(written), key: `${server}\0${tool}` };
    }),
  );
}

/**
 * Ids for command tools, in the order given: as `nameTools`, from the command's name alone and without a double underscore,
 * which every `server__tool` has: no command can take the id of a server's tool.
 */
export function nameCommands(names: readonly string[]): readonly string[] {
  return tellApart(
    names.map((written) => ({
      written,
      safe: safe(written).replace(/_{2,}/g, '_'),
      key: written,
    })),
  );
}

/** Names for the prompts of these ids, in the order given: as `nameCommands`, with what stands between underscores kept. */
export function namePrompts(ids: readonly string[]): readonly string[] {
  return tellApart(ids.map((written) => ({ written, safe: safe(written), key: written })));
}

interface Candidate {
  /** The name as somebody wrote it. */
  readonly written: string;
  readonly safe: string;
  /** What the hash is made of: differs for any two names. */
  readonly key: string;
}

function tellApart(candidates: readonly Candidate[]): readonly string[] {
  const ids = candidates.map(({ safe: plain, key }) => (plain.length > LONGEST_ID ? withHash(plain, key) : plain));
  const owners = new Map<string, number[]>();
  for (const [index, id] of ids.entries()) {
    const sharing = owners.get(id);
    if (sharing) sharing.push(index);
    else owners.set(id, [index]);
  }
  return candidates.map(({ safe: plain, key }, index) => {
    const id = ids[index] ?? plain;
    const sharing = owners.get(id) ?? [];
    if (sharing.length < 2) return id;
    const unchanged = sharing.filter((other) => candidates[other]?.written === id);
    return unchanged.length === 1 && unchanged[0] === index ? id : withHash(id, key);
  });
}

/** How the ids of a server's tools begin, but for those that are cut. */
export function toolPrefixOf(server: string): string {
  return safe(`${server}__`);
}

function safe(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/g, '_');
}

function withHash(id: string, key: string): string {
  const hash = createHash('sha256').update(key, 'utf8').digest('hex').slice(0, HASH_LENGTH);
  return `${id.slice(0, LONGEST_ID - HASH_LENGTH - 1)}_${hash}`;
}
