import { PlaybookError } from '../errors.ts';
import type { Entry, PlaybookEntry, QuarantinedTool } from '../model.ts';
import { type Catalog, nameKey, qualifiedIdOf } from './catalog.ts';
import { closestIds } from './closest.ts';

/**
 * The entry that an id names: a bare or qualified id first, else a name that only one entry has.
 *
 * @throws PlaybookError `catalog/quarantined` for a tool that changed since it was approved, `catalog/ambiguous-id` for a name
 * that several share, `catalog/unknown-id` with the closest ids.
 */
export function findEntry(catalog: Catalog, id: string): Entry {
  const entry = catalog.byId.get(id) ?? catalog.byId.get(id.replace(/\.md$/i, ''));
  if (entry !== undefined) return entry;
  const held = catalog.quarantined.get(id);
  if (held !== undefined) throw quarantined(held);
  const named = catalog.byName.get(nameKey({ name: id })) ?? [];
  const [only] = named;
  if (only !== undefined && named.length === 1) return only;
  if (named.length > 1) {
    throw new PlaybookError('catalog/ambiguous-id', `"${id}" names ${named.length} entries.`, {
      hint: `Use one of their ids: ${named.map((each) => each.id).join(', ')}.`,
    });
  }
  throw new PlaybookError('catalog/unknown-id', `There is no entry "${id}".`, { hint: unknownIdHint(catalog, id) });
}

/** The entry that replaces another one, its own source first; undefined where none does, or what is named does not exist. */
export function replacementOf({ byId, byName }: Catalog, entry: Entry): Entry | undefined {
  const id = entry.deprecation?.replacedBy;
  if (id === undefined) return undefined;
  const own = entry.kind === 'playbook' ? byId.get(qualifiedIdOf({ source: entry.playbook.source, id })) : undefined;
  const named = byName.get(nameKey({ name: id })) ?? [];
  return own ?? byId.get(id) ?? (named.length === 1 ? named[0] : undefined);
}

/** The refusal of a tool in quarantine; it shows nothing of the new definition, which may be written to mislead an agent. */
export function quarantined({ tool, change }: QuarantinedTool): PlaybookError {
  return new PlaybookError(
    'catalog/quarantined',
    `${tool.id} is quarantined: its definition is other than the approved one (${change}).`,
    { hint: `A person can look at it and accept it: \`playbook-mcp tools accept ${tool.id}\`. Do not work around it.` },
  );
}

/** What an id with a suffix addresses: an entry, one of its sections, or one of its supporting files. */
export type Address =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'section'; readonly entry: PlaybookEntry; readonly heading: string }
  | { readonly kind: 'file'; readonly entry: PlaybookEntry; readonly file: string };

/**
 * Resolves `id`, `id#heading` and `id/path/of/file`. Whether the section or file exists is for the caller to find out.
 *
 * @throws PlaybookError as `findEntry`.
 */
export function resolveAddress(catalog: Catalog, address: string): Address {
  const trimmed = address
    .trim()
    .replace(/^playbook:\/\//, '')
    .replace(/\/SKILL\.md$/i, '');
  const exact = catalog.byId.get(trimmed);
  if (exact !== undefined) return { kind: 'entry', entry: exact };
  const hash = trimmed.indexOf('#');
  if (hash > 0) {
    const entry = findEntry(catalog, trimmed.slice(0, hash));
    const heading = trimmed.slice(hash + 1);
    return entry.kind === 'playbook' && heading !== '' ? { kind: 'section', entry, heading } : { kind: 'entry', entry };
  }
  return supportingFileAddress(catalog, trimmed) ?? { kind: 'entry', entry: findEntry(catalog, trimmed) };
}

/** The longest prefix that is a playbook wins, so that a nested skill hides nothing of its own. */
function supportingFileAddress(catalog: Catalog, id: string): Address | undefined {
  for (let slash = id.lastIndexOf('/'); slash > 0; slash = id.lastIndexOf('/', slash - 1)) {
    const entry = catalog.byId.get(id.slice(0, slash));
    if (entry?.kind === 'playbook') return { kind: 'file', entry, file: id.slice(slash + 1) };
  }
  return undefined;
}

function unknownIdHint(catalog: Catalog, id: string): string {
  const closest = closestIds(
    catalog.entries.map((entry) => entry.id),
    id,
  );
  return closest.length === 0
    ? 'Call search to find what there is.'
    : `Closest: ${closest.join(', ')}. Or call search to find what there is.`;
}
