import type { QuarantinedTool } from '../model.ts';
import type { Snapshot } from '../server/snapshot.ts';
import { bold, print, table, yellow } from './print.ts';

/** What is wrong with a wrapped tool. */
export interface ToolProblem {
  readonly id: string;
  readonly server: string;
  /** `quarantined` is out of the catalog; the others are used, but their arguments are not checked, or not in full. */
  readonly kind: 'quarantined' | 'bad-schema' | 'large-schema';
  readonly message: string;
}

/** The tools that are quarantined, then those whose schema does not compile or is too large to. */
export async function findToolProblems({ catalog }: Snapshot): Promise<readonly ToolProblem[]> {
  const { compileValidator } = await import('../tools/validate.ts');
  const badSchemas = catalog.entries.flatMap((entry): readonly ToolProblem[] => {
    if (entry.kind !== 'tool') return [];
    const { id, server, schemaProblem } = entry.tool;
    const validator = compileValidator(entry.inputSchema);
    const reason = schemaProblem ?? (validator.kind === 'unusable' ? validator.reason : undefined);
    const message = `its schema cannot be used, so its arguments are not checked: ${reason}`;
    if (reason !== undefined) return [{ id, server, kind: 'bad-schema', message }];
    const omission = validator.kind === 'usable' ? validator.omission : undefined;
    return omission === undefined
      ? []
      : [{ id, server, kind: 'large-schema', message: `its schema is large: ${omission}` }];
  });
  return [...[...catalog.quarantined.values()].map(toProblem), ...badSchemas];
}

/** Prints each on a line; nothing where there is none. */
export function printToolProblems(problems: readonly ToolProblem[]): void {
  if (problems.length === 0) return;
  print(`\n${bold('Tools')}`);
  print(table(problems.map(({ id, kind, message }) => [`  ${id}`, yellow(kind), message])));
}

function toProblem({ tool: { id, server }, change }: QuarantinedTool): ToolProblem {
  return { id, server, kind: 'quarantined', message: `${change}; \`playbook-mcp tools accept ${id}\` accepts it` };
}
