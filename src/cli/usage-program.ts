import { type Command, Option } from 'commander';
import type { CommonOptions } from './options.ts';
import { unknownCommand } from './tools-program.ts';

/** Adds `usage` and what is below it; each command's own file is loaded when it runs. */
export function addUsageCommands(program: Command, common: () => CommonOptions): void {
  const usage = program
    .command('usage')
    .description('look after what is recorded of the calls: status, export, import, purge');
  usage
    .command('status', { isDefault: true })
    .description('tell where usage is kept, and how much there is')
    .option('--json', 'print JSON')
    .allowExcessArguments()
    .action(async (options, { args: [mistyped] }: Command) => {
      if (mistyped !== undefined) throw unknownCommand(usage, mistyped);
      await (await import('./usage/status.ts')).usageStatusCommand(common(), options);
    });
  usage
    .command('export')
    .description('write everything that was recorded')
    .addOption(
      new Option('--format <format>', 'JSON lines of everything, or a table of the events')
        .choices(['jsonl', 'csv'])
        .default('jsonl'),
    )
    .option('--since <moment>', 'only events and reports since then: 30d, 12h, 2026-05-01')
    .option('--out <file>', 'write to a file instead of stdout')
    .action(async (options) => (await import('./usage/export.ts')).usageExportCommand(common(), options));
  usage
    .command('import')
    .description('add the events of an export, or of logs of your own (docs/usage-and-privacy.md)')
    .argument('<file>', 'JSON lines; - for stdin')
    .option('--json', 'print JSON')
    .action(async (file, options) =>
      (await import('./usage/import.ts')).usageImportCommand(common(), { file, ...options }),
    );
  usage
    .command('purge')
    .description('remove what was recorded')
    .option('--before <moment>', 'events and reports from before then: 90d, 2026-05-01')
    .option('--all', 'everything')
    .action(async (options) => (await import('./usage/purge.ts')).usagePurgeCommand(common(), options));
}
