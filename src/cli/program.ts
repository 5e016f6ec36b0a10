import { Command, CommanderError, Help, InvalidArgumentError, Option } from 'commander';
import { packageInfo } from '../server/package-root.ts';
import { GRAPH_FORMATS } from './graph/formats.ts';
import { addInstallCommands } from './install-program.ts';
import type { CommonOptions } from './options.ts';
import type { HttpFlags } from './serve-http.ts';
import { addStatusCommands } from './status-program.ts';
import { addToolsCommands, unknownCommand } from './tools-program.ts';
import { GROUPINGS } from './stats/groupings.ts';
import { addUsageCommands } from './usage-program.ts';

/** The command line, whole; a command's own file is loaded when it runs. */
const program = new Command('playbook-mcp')
  .description('Procedural memory for coding agents: playbooks and wrapped tools behind three MCP tools.')
  .version(packageInfo().version)
  .option('--playbooks <dir>', 'a folder of playbooks; may be repeated', collectPaths, [])
  .option('--workspace <dir>', 'the repository to serve, and the only ones allowed; may be repeated', collectPaths, [])
  .option('--config <file>', 'configuration file, instead of the one in the user’s configuration directory', namedPath)
  .option('--no-starter', 'leave out the playbooks that come with this package')
  .configureHelp({
    showGlobalOptions: true,
    // That an option which may be repeated is an empty list without it says nothing.
    optionDescription: (option) => new Help().optionDescription(option).replace(/ \(default: \[\]\)$/, ''),
  })
  .exitOverride();

program
  .command('serve', { isDefault: true })
  .description('serve the catalog over stdio (what an agent’s configuration starts), or over HTTP')
  .option('--http [address]', 'over HTTP at [host:]port; 127.0.0.1:8321 where absent')
  .option('--host <host>', 'over HTTP at this host')
  .option('--port <port>', 'over HTTP at this port')
  .allowExcessArguments()
  .action(async (options: HttpFlags, { args: [mistyped] }: Command) => {
    if (mistyped !== undefined) throw unknownCommand(program, mistyped);
    if (Object.keys(options).length > 0) await (await import('./serve-http.ts')).serveHttp(common(), options);
    else await (await import('./serve.ts')).serve(common());
  });

program
  .command('search')
  .description('search as an agent does')
  .argument('[words...]', 'the task in words; none to browse by tags')
  .option('--tag <tag>', 'only entries with this tag; may be repeated', collect, [])
  .addOption(new Option('--kind <kind>', 'only entries of this kind').choices(['playbook', 'tool']))
  .option('--limit <n>', 'hits to show', '8')
  .option('--json', 'print JSON')
  .action(async (words, options) => (await import('./search.ts')).searchCommand(common(), { words, ...options }));

program
  .command('list')
  .description('list every entry of the catalog')
  .option('--tag <tag>', 'only entries with this tag; may be repeated', collect, [])
  .addOption(new Option('--kind <kind>', 'only entries of this kind').choices(['playbook', 'tool']))
  .option('--json', 'print JSON')
  .action(async (options) => (await import('./list.ts')).listCommand(common(), options));

program
  .command('show')
  .description('show an entry: its schema, references and text')
  .argument('<id>', 'an id; id#heading for one section, id/file for a supporting file')
  .option('--json', 'print JSON')
  .action(async (id, options) => (await import('./show.ts')).showCommand(common(), { id, ...options }));

program
  .command('graph')
  .description('show what refers to what: a tree, or a page to explore')
  .addOption(new Option('--format <format>', 'default: by the name of --out, else text').choices(GRAPH_FORMATS))
  .option('--of <id>', 'only what leads to this entry and what it leads to')
  .option('--tag <tag>', 'only playbooks with this tag; may be repeated', collect, [])
  .option('--all', 'playbooks of every source, your own and the starter included')
  .option('--no-tools', 'leave out the tools that playbooks name')
  .option('--no-files', 'leave out supporting files')
  .option('--out <file>', 'write to a file instead of stdout')
  .option('--open', 'open the page in the browser (a temporary file, unless --out names one)')
  .option('--json', 'the same as --format json')
  .action(async (options) => (await import('./graph.ts')).graphCommand(common(), options));

program
  .command('report')
  .description('make a page of the usage: what is used, what is missing, what to retire')
  .option('--since <moment>', 'count from then on: 90d, 12w, 2026-05-01; all that is recorded by default')
  .option('--until <moment>', 'count to then')
  .option('--out <file>', 'write to a file instead of stdout')
  .option('--open', 'open the page in the browser (a temporary file, unless --out names one)')
  .action(async (options) => (await import('./report.ts')).reportCommand(common(), options));

program
  .command('doctor')
  .description('check configuration, sources, playbooks and upstream servers')
  .option('--offline', 'do not start or call upstream servers')
  .option('--timeout <seconds>', 'how long each server may take to start', '60')
  .option('--json', 'print JSON')
  .action(async (options) => (await import('./doctor.ts')).doctorCommand(common(), options));

program
  .command('duplicates')
  .description('find playbooks that repeat each other, and say which to keep')
  .option('--min-overlap <ratio>', 'only pairs that have so much in common, 0 to 1')
  .option('--of <id>', 'only pairs with this playbook')
  .option('--json', 'print JSON')
  .action(async (options) => (await import('./duplicates.ts')).duplicatesCommand(common(), options));

program
  .command('lint')
  .description('find what is wrong with playbooks: references, parameters, secrets, hidden text and more')
  .argument('[paths...]', 'files or folders; none for the workspace’s and the configured sources')
  .addOption(
    new Option('--format <format>', 'how findings are printed')
      .choices(['text', 'json', 'github', 'sarif'])
      .default('text'),
  )
  .option('--json', 'print JSON, as --format json')
  .option('--fix', 'mend what can be mended without changing what a playbook says')
  .option('--max-warnings <n>', 'exit 1 where there are more warnings than this')
  .option('--quiet', 'print errors only')
  .option('--rule <id=level>', 'error, warning, info or off for a rule; may be repeated', collect, [])
  .option('--all', 'lint every source, your own and the starter included')
  .action(async (paths, options) => (await import('./lint.ts')).lintCommand(common(), { paths, ...options }));

program
  .command('check')
  .description('review the playbooks that a change adds or changes: lint, nearest neighbours, a reviewing agent')
  .argument('[paths...]', 'folders of playbooks; none for the workspace’s and the configured ones')
  .option('--base <ref>', 'what the change is compared with; the default branch where absent')
  .option('--include-untracked', 'count files that git does not know yet (the default)', true)
  .option('--no-include-untracked', 'leave them out')
  .option('--reviewer <command>', 'agent program that judges: gets the question on stdin, run without a shell')
  .option('--timeout <seconds>', 'how long the reviewer may take', '300')
  .addOption(
    new Option('--format <format>', 'how the review is printed').choices(['text', 'json', 'github']).default('text'),
  )
  .option('--json', 'print JSON, as --format json')
  .action(async (paths, options) => (await import('./check.ts')).checkCommand(common(), { paths, ...options }));

program
  .command('init')
  .description('set a repository up for playbooks: an example, a schema for editors, a CI workflow')
  .argument('[dir]', 'directory of the repository; the current one by default')
  .option('--no-ci', 'leave the CI workflow out')
  .option('--dry-run', 'only tell what would be written')
  .option('--json', 'print JSON')
  .action(async (dir, options) =>
    (await import('./init.ts')).initCommand({ ...(dir === undefined ? {} : { dir }), ...options }),
  );

program
  .command('new')
  .description('write a new playbook: asks on a terminal, or takes flags')
  .argument('[id]', 'its path below the playbook folder without .md, as deploy/roll-back; with --from its name there')
  .option('--description <text>', 'what it does and when to use it')
  .option('--tag <tag>', 'may be repeated', collect, [])
  .option('--owner <name>', 'team or person who answers for it')
  .option('--parameter <name:type[:required]:description>', 'may be repeated', collect, [])
  .option('--reference <id>', 'a playbook that it leads to; may be repeated', collect, [])
  .option('--tool <id>', 'a tool that it uses; may be repeated', collect, [])
  .option('--example <query>', 'a query that should find it; may be repeated', collect, [])
  .addOption(
    new Option('--shape <shape>', 'a single file, or a folder for supporting files')
      .choices(['file', 'folder'])
      .default('file'),
  )
  .addOption(
    new Option('--status <status>', 'a draft is found in its own repository only').choices(['draft', 'active']),
  )
  .option('--dir <folder>', 'playbook folder; the first that the workspace has, else .playbooks')
  .option('--from <path>', 'convert a skill folder, command, rule, microagent (.md, .mdc) or goose recipe (.yaml)')
  .option('--force-shadow', 'go on where the id means another entry already')
  .option('--json', 'print JSON')
  .action(async (id, options) =>
    (await import('./new.ts')).newCommand(common(), { ...(id === undefined ? {} : { id }), ...options }),
  );

program
  .command('eval')
  .description('search for the examples of playbooks: does each find its own?')
  .argument(
    '[paths|ids...]',
    'playbooks, or files and folders of some; none for the workspace’s and the configured ones',
  )
  .option('--min-recall <share>', 'exit 1 where a smaller share of examples finds its playbook in the first k', '0.9')
  .option('--k <n>', 'how many of the first hits count', '3')
  .addOption(
    new Option('--format <format>', 'how results are printed').choices(['text', 'json', 'github']).default('text'),
  )
  .option('--json', 'print JSON, as --format json')
  .option('--strict', 'exit 1 where a playbook has no examples, and name it')
  .option('--all', 'evaluate every source, your own and the starter included')
  .action(async (wanted, options) => (await import('./eval.ts')).evalCommand(common(), { wanted, ...options }));

addInstallCommands(program, common);
addStatusCommands(program, common);
addToolsCommands(program, common);
program
  .command('stats')
  .description('tell who uses what, what is never used, what fails, what is looked for in vain')
  .option('--since <moment>', 'only calls since then: 90d, 12h, 2026-01-01')
  .option('--until <moment>', 'only calls before then')
  .addOption(new Option('--by <group>', 'one table, by entry or by what entries or calls share').choices(GROUPINGS))
  .option('--top <n>', 'rows of each table', '10')
  .option('--json', 'print JSON: everything')
  .action(async (options) => (await import('./stats.ts')).statsCommand(common(), options));

program
  .command('review')
  .description('propose what to retire, merge, rewrite, fix, write and restore, with the evidence')
  .addOption(
    new Option('--format <format>', 'how proposals are printed')
      .choices(['text', 'markdown', 'json', 'github'])
      .default('text'),
  )
  .option('--json', 'print JSON, as --format json')
  .option('--since <moment>', 'only evidence since then: 365d, 2026-01-01')
  .option('--now <moment>', 'count unused time until then; the last call by default')
  .option('--fail-on-proposals', 'exit 1 where there are any')
  .action(async (options) => (await import('./review.ts')).reviewCommand(common(), options));

addUsageCommands(program, common);

pointToHelp(program, program.name());

/** Runs the command that the arguments name. @throws whatever the command throws, and CommanderError where it has said why. */
export async function runProgram(args: readonly string[]): Promise<void> {
  await program.parseAsync([...args], { from: 'user' });
}

/** Whether a failure is one that commander has already told, or its help or version; then its exit code. */
export function exitCodeOfUsage(error: unknown): 0 | 2 | undefined {
  if (!(error instanceof CommanderError)) return undefined;
  return error.exitCode === 0 ? 0 : 2;
}

/** A mistake in a command's options or arguments is answered with where that command's own are told. */
function pointToHelp(command: Command, words: string): void {
  command.exitOverride().showHelpAfterError(`(run ${words} --help to see what it takes)`);
  for (const child of command.commands) pointToHelp(child, `${words} ${child.name()}`);
}

function common(): CommonOptions {
  return program.opts<CommonOptions>();
}

/** A path that somebody wrote: neither an unset variable of a script nor the next flag. */
function namedPath(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It is blank: is a variable unset?');
  if (value.startsWith('--')) throw new InvalidArgumentError(`It is a flag; write ./${value} if a path begins so.`);
  return value;
}

function collectPaths(value: string, earlier: readonly string[]): readonly string[] {
  return collect(namedPath(value), earlier);
}

function collect(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value];
}
