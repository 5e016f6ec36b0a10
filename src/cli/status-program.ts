import type { Command } from 'commander';
import type { CommonOptions } from './options.ts';

/** Adds `deprecate`, `retire` and `restore`; each command's own file is loaded when it runs. */
export function addStatusCommands(program: Command, common: () => CommonOptions): void {
  program
    .command('deprecate')
    .description('mark a playbook as one that should not be used any more: still found, below others')
    .argument('<id>', 'id of the playbook')
    .option('--reason <text>', 'why')
    .option('--replace <id>', 'what to use instead; playbooks of its source that lead to it lead there then')
    .option('--since <date>', 'when it began; today by default')
    .option('--dry-run', 'print a unified diff, and write nothing')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./deprecate.ts')).deprecateCommand(common(), { id, ...options }));
  program
    .command('retire')
    .description('take a playbook or tool out of search; executing it answers with what replaces it')
    .argument('<id>', 'id of the playbook or tool')
    .option('--reason <text>', 'why')
    .option('--replace <id>', 'what to use instead; playbooks of its source that lead to it lead there then')
    .option('--force', 'retire it although others lead to it and nothing replaces it')
    .option('--write', 'for a tool: write it into your configuration')
    .option('--dry-run', 'print a unified diff, and write nothing')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./retire.ts')).retireCommand(common(), { id, ...options }));
  program
    .command('restore')
    .description('put an entry that was deprecated or retired back into use')
    .argument('<id>', 'id of the playbook or tool')
    .option('--write', 'for a tool: write it into your configuration')
    .option('--dry-run', 'print a unified diff, and write nothing')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./restore.ts')).restoreCommand(common(), { id, ...options }));
}
