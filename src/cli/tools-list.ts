import type { Catalog } from '../catalog/catalog.ts';
import { marksOf, summaryOf } from '../server/summary.ts';
import { type CommonOptions, withRuntime } from './options.ts';
import { bold, dim, print, printJson, remark, table } from './print.ts';

export interface ToolsListOptions {
  readonly json?: boolean;
}

/** One wrapped tool, as `tools list --json` shows it. */
interface ToolReport {
  readonly id: string;
  readonly server: string;
  readonly tool: string;
  readonly state: 'active' | 'retired' | 'quarantined';
  /** `destructive`, what it is replaced by, or what has changed since it was approved. */
  readonly marks: readonly string[];
  readonly description: string;
  readonly tags: readonly string[];
}

/** Prints every wrapped tool, quarantined and retired ones too. */
export async function toolsListCommand(common: CommonOptions, options: ToolsListOptions): Promise<void> {
  await withRuntime(common, async (runtime) => {
    const tools = reportsOf((await runtime.snapshot()).catalog);
    if (options.json === true) return printJson(tools);
    if (tools.length === 0)
      return remark('No wrapped tools. `playbook-mcp tools status` tells how each server is doing.');
    print(
      table([
        ['ID', 'SERVER', 'STATE', 'DESCRIPTION'].map(bold),
        ...tools.map(({ id, server, state, marks, description }) => [
          id,
          server,
          state,
          [...marks.map((mark) => dim(`[${mark}]`)), summaryOf(description, 100)].join(' '),
        ]),
      ]),
    );
    return remark(dim(`${tools.length} tools`));
  });
}

function reportsOf({ entries, quarantined }: Catalog): readonly ToolReport[] {
  const usable = entries.flatMap((entry): readonly ToolReport[] => {
    if (entry.kind !== 'tool') return [];
    const { id, description, tags, tool } = entry;
    const state = entry.status === 'retired' ? 'retired' : 'active';
    return [{ id, server: tool.server, tool: tool.tool, state, marks: marksOf(entry), description, tags }];
  });
  const held = [...quarantined.values()].map(({ tool, change, approvedDescription }): ToolReport => {
    const { id, server, tags } = tool;
    // The new description may be written to mislead; `tools status` quotes it.
    return {
      id,
      server,
      tool: tool.tool,
      state: 'quarantined',
      marks: [change],
      description: approvedDescription,
      tags,
    };
  });
  return [...usable, ...held];
}
