import { Argument, type Command, Option } from 'commander';
import { CLIENT_IDS } from './install/client-paths.ts';
import type { CommonOptions } from './options.ts';

/** Adds `install` and `export`, what other programs read; each command's own file is loaded when it runs. */
export function addInstallCommands(program: Command, common: () => CommonOptions): void {
  program
    .command('install')
    .description('put this server into the configuration of an agent, with the common flags given here')
    .addArgument(new Argument('<client>', 'the agent').choices(CLIENT_IDS))
    .addOption(
      new Option('--scope <scope>', 'your own configuration, or the project’s')
        .choices(['user', 'project'])
        .default('user'),
    )
    .addOption(
      new Option('--launch <program>', 'fetch this version by npx, or start what is installed here by node').choices([
        'npx',
        'node',
      ]),
    )
    .option('--migrate', 'move the servers that are there into your configuration of playbook-mcp')
    .option('--uninstall', 'take it out again')
    .option('--print', 'print what would be written into an empty file, and write nothing')
    .option('--dry-run', 'print a unified diff without secrets, and write nothing')
    .option('--json', 'print JSON')
    .action(async (client, options) => (await import('./install.ts')).installCommand(common(), { client, ...options }));
  program
    .command('export')
    .description('write the catalog in other forms: export skills <dir>')
    .command('skills')
    .description('write the active playbooks as folders with a SKILL.md, for clients that read skills themselves')
    .argument('<dir>', 'directory of the folders; what others have in it stays')
    .option('--tag <tag>', 'only playbooks with this tag; may be repeated', collect, [])
    .option('--dry-run', 'only tell what would be written')
    .option('--json', 'print JSON')
    .action(async (dir, options) =>
      (await import('./export-skills.ts')).exportSkillsCommand(common(), { dir, ...options }),
    );
}

function collect(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value];
}
