import type { Catalog } from '../catalog/catalog.ts';
import { type Address, resolveAddress } from '../catalog/lookup.ts';
import { readListedFile } from '../server/supporting-files.ts';
import { getSchemaTool } from '../server/get-schema-tool.ts';
import { oneSection } from '../server/execute-tool.ts';
import { type CommonOptions, withRuntime } from './options.ts';
import { print, printJson } from './print.ts';
import { toReport } from './report-entry.ts';

export interface ShowOptions {
  readonly id: string;
  readonly json?: boolean;
}

/**
 * Prints one entry: what `get_schema` says and, for a playbook, its text as the author wrote it.
 *
 * @throws PlaybookError `catalog/unknown-id`, `catalog/ambiguous-id`, `catalog/unknown-section`, `files/unreadable`.
 */
export async function showCommand(common: CommonOptions, { id, json }: ShowOptions): Promise<void> {
  await withRuntime(common, async (runtime) => {
    const snapshot = await runtime.snapshot();
    const address = resolveAddress(snapshot.catalog, id);
    const { entry } = address;
    const text = await textAt(snapshot.catalog, address);
    if (json === true) {
      printJson({ ...toReport(entry), inputSchema: entry.inputSchema, ...(text === undefined ? {} : { text }) });
      return;
    }
    if (address.kind === 'entry') {
      const schema = getSchemaTool(snapshot, { ids: [entry.id] });
      for (const block of schema.content) if (block.type === 'text') print(block.text);
    }
    if (text !== undefined) print(address.kind === 'entry' ? `\n${text}` : text);
  });
}

/** The text that an address means, as its author wrote it; undefined for a tool. */
async function textAt(catalog: Catalog, address: Address): Promise<string | undefined> {
  switch (address.kind) {
    case 'entry':
      return address.entry.kind === 'playbook' ? address.entry.playbook.body.trim() : undefined;
    case 'section':
      return oneSection(address.entry, address.entry.playbook.body, address.heading);
    case 'file': {
      const file = await readListedFile(catalog, address.entry.playbook, address.file);
      return file.kind === 'text' ? file.text : file.path;
    }
  }
}
