import { closestIds } from '../catalog/closest.ts';
import { PlaybookError } from '../errors.ts';
import type { QuarantinedTool } from '../model.ts';
import type { Runtime } from '../server/runtime.ts';
import { type CommonOptions, withRuntime } from './options.ts';
import { print, printJson, remark } from './print.ts';
import { toChange } from './tools-status.ts';

export interface ToolsAcceptOptions {
  readonly ids: readonly string[];
  readonly server?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

/**
 * Accepts the definitions that were listed last, and prints each change; a server that is running takes them over by itself.
 *
 * @throws PlaybookError `cli/usage` where nothing is named, `catalog/unknown-id` for an id of no tool.
 */
export async function toolsAcceptCommand(common: CommonOptions, options: ToolsAcceptOptions): Promise<void> {
  if (options.ids.length === 0 && options.server === undefined && options.all !== true) {
    throw new PlaybookError('cli/usage', 'Nothing to accept is named.', {
      hint: 'Give ids, --server <name> or --all; `playbook-mcp tools status` shows what has changed.',
    });
  }
  await withRuntime({ ...common, listsUpstreams: false }, async ({ upstreams }) => {
    refuseUnknown(upstreams, options);
    const wanted = upstreams.quarantined().filter((held) => isWanted(held, options));
    await upstreams.accept(wanted);
    if (options.json === true) return printJson(wanted.map(toChange));
    if (wanted.length === 0) return remark('Nothing of it is quarantined.');
    return print(wanted.map(({ tool, change }) => `${tool.id}: accepted (${change})`).join('\n'));
  });
}

function isWanted({ tool }: QuarantinedTool, { ids, server, all }: ToolsAcceptOptions): boolean {
  return all === true || tool.server === server || ids.includes(tool.id);
}

function refuseUnknown(upstreams: Runtime['upstreams'], { ids, server }: ToolsAcceptOptions): void {
  const known = [...upstreams.tools(), ...upstreams.quarantined().map(({ tool }) => tool)].map(({ id }) => id);
  refuseMissing('tool', ids, known);
  refuseMissing(
    'upstream server',
    server === undefined ? [] : [server],
    upstreams.status().map(({ name }) => name),
  );
}

function refuseMissing(what: string, given: readonly string[], known: readonly string[]): void {
  const missing = given.find((each) => !known.includes(each));
  if (missing === undefined) return;
  const closest = closestIds(known, missing);
  throw new PlaybookError('catalog/unknown-id', `There is no ${what} "${missing}".`, {
    hint: closest.length === 0 ? '`playbook-mcp tools` lists them.' : `Closest: ${closest.join(', ')}.`,
  });
}
