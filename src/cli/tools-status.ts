import type { QuarantinedTool } from '../model.ts';
import { type CommonOptions, secondsToMs, withRuntime } from './options.ts';
import { bold, exitWith, print, printJson, remark } from './print.ts';
import { isUnusable, printUpstreams } from './upstream-report.ts';

export interface ToolsStatusOptions {
  readonly offline?: boolean;
  /** Seconds, as written. */
  readonly timeout: string;
  readonly json?: boolean;
}

/** Prints how each upstream is doing and what has changed; exits 1 where a tool is quarantined, 5 where a server cannot be reached. */
export async function toolsStatusCommand(common: CommonOptions, options: ToolsStatusOptions): Promise<void> {
  const connectTimeoutMs = secondsToMs(options.timeout);
  await withRuntime({ ...common, listsUpstreams: false, connectTimeoutMs }, async ({ upstreams }) => {
    if (options.offline !== true) await Promise.all(upstreams.status().map(({ name }) => upstreams.probe(name)));
    const status = upstreams.status();
    const quarantined = upstreams.quarantined();
    if (quarantined.length > 0) exitWith(1);
    if (status.some(isUnusable)) exitWith(5);
    if (options.json === true) return printJson({ upstreams: status, quarantined: quarantined.map(toChange) });
    if (status.length === 0) return remark('No upstream server is configured.');
    printUpstreams(status);
    return printQuarantined(quarantined);
  });
}

/** A quarantined tool with both descriptions, for a person to compare. */
export function toChange({ tool, change, approvedDescription }: QuarantinedTool): object {
  const { id, server, description, inputSchema } = tool;
  return { id, server, change, approvedDescription, description, inputSchema };
}

/** Prints what has changed of each tool; the texts are quoted, so that no control character of theirs reaches the terminal. */
export function printQuarantined(quarantined: readonly QuarantinedTool[]): void {
  if (quarantined.length === 0) return;
  print(`\n${bold('Quarantined tools')} (accept with \`playbook-mcp tools accept <id>\`)`);
  for (const { tool, change, approvedDescription } of quarantined) {
    print(`  ${bold(tool.id)}: ${change}`);
    if (tool.description === approvedDescription) continue;
    print(`    approved: ${JSON.stringify(approvedDescription)}`);
    print(`    now:      ${JSON.stringify(tool.description)}`);
  }
}
