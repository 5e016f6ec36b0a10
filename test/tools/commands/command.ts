import type { CommandConfig } from '../../../src/config/index.ts';

/** A command as the configuration would have it. */
export function command(argv: readonly string[], more: Partial<CommandConfig> = {}): CommandConfig {
  return {
    name: 'tool',
    description: 'A tool of the test',
    command: argv,
    parameters: [],
    timeoutMs: 20_000,
    readOnly: false,
    tags: [],
    at: { path: '/config.json', line: 1, column: 1 },
    ...more,
  };
}

/** A command that runs a script of Node with these further items. */
export function node(script: string, ...items: string[]): readonly string[] {
  return [process.execPath, '-e', script, ...items];
}
