import type { Diagnostic, WrappedTool } from '../model.ts';
import type { ToolProvider } from '../tools/provider.ts';

/** The tools of several providers under ids that each mean one tool. */
export interface MergedTools<Provider = ToolProvider> {
  readonly tools: readonly WrappedTool[];
  readonly providerById: ReadonlyMap<string, Provider>;
  /** A tool whose id belongs to another provider's; it cannot be called. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * @param providers the one that keeps an id first.
 * @param configPath what the diagnostics name: both tools come from there.
 */
export function mergeTools<Provider extends Pick<ToolProvider, 'tools'>>(
  providers: readonly Provider[],
  configPath: string,
): MergedTools<Provider> {
  const providerById = new Map<string, Provider>();
  const tools: WrappedTool[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const provider of providers) {
    for (const tool of provider.tools()) {
      if (providerById.has(tool.id)) {
        diagnostics.push(taken(tool, configPath));
        continue;
      }
      providerById.set(tool.id, provider);
      tools.push(tool);
    }
  }
  return { tools, providerById, diagnostics };
}

function taken({ id, server, tool }: WrappedTool, path: string): Diagnostic {
  return {
    rule: 'tool-id-taken',
    severity: 'warning',
    path,
    line: 1,
    column: 1,
    message: `The tool ${tool} of "${server}" would be called ${id}, which is a built-in tool; it is off.`,
    hint: `Give the server "${server}" another name.`,
  };
}
