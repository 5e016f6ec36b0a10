import type { Config } from '../config/index.ts';
import type { Diagnostic } from '../model.ts';
import { Code } from '../tools/code/code.ts';
import { Commands } from '../tools/commands/commands.ts';
import type { ToolProvider } from '../tools/provider.ts';
import { reportDiagnostics } from './report-diagnostics.ts';
import type { RuntimeOptions } from './runtime-options.ts';

/** The tools that need no server: built-in ones, and commands of the configuration. */
export interface LocalTools {
  /** In order of precedence. */
  readonly providers: readonly ToolProvider[];
  readonly diagnostics: readonly Diagnostic[];
  /** Ends whatever runs. */
  readonly close: () => Promise<void>;
}

export function openLocalTools(
  { commands, code, tagRules }: Config,
  { env, log }: Pick<RuntimeOptions, 'env' | 'log'>,
): LocalTools {
  const codeTools = new Code({ roots: code.roots, tagRules, env });
  const commandTools = new Commands({ commands, tagRules, env, log });
  reportDiagnostics(log, commandTools.diagnostics);
  return {
    providers: [codeTools, commandTools],
    diagnostics: commandTools.diagnostics,
    close: async () => {
      codeTools.close();
      await commandTools.close();
    },
  };
}
