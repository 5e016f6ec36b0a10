import type { Command } from 'commander';
import { nearestWord } from '../config/nearest.ts';
import { PlaybookError } from '../errors.ts';
import type { CommonOptions } from './options.ts';

/** Adds `tools` and what is below it; each command's own file is loaded when it runs. */
export function addToolsCommands(program: Command, common: () => CommonOptions): void {
  const tools = program
    .command('tools')
    .description('look after wrapped tools: list, status, accept, test, login, logout');
  tools
    .command('list', { isDefault: true })
    .description('list every wrapped tool with its state')
    .option('--json', 'print JSON')
    .allowExcessArguments()
    .action(async (options, { args: [mistyped] }: Command) => {
      if (mistyped !== undefined) throw unknownCommand(tools, mistyped);
      await (await import('./tools-list.ts')).toolsListCommand(common(), options);
    });
  tools
    .command('status')
    .description('start every upstream server and tell how each is doing, and which tools have changed')
    .option('--offline', 'tell only what is known without starting any')
    .option('--timeout <seconds>', 'how long each server may take to start', '60')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./tools-status.ts')).toolsStatusCommand(common(), options));
  tools
    .command('accept')
    .description('accept the changed definitions of quarantined tools')
    .argument('[ids...]', 'ids of quarantined tools')
    .option('--server <name>', 'all of this server')
    .option('--all', 'all of them')
    .option('--json', 'print JSON')
    .action(async (ids, options) =>
      (await import('./tools-accept.ts')).toolsAcceptCommand(common(), { ids, ...options }),
    );
  tools
    .command('test')
    .description('call a wrapped tool for real and print its result')
    .argument('<id>', 'id of the tool')
    .option('--arguments <json>', 'its arguments, a JSON object', '{}')
    .option('--json', 'print the whole result as JSON')
    .action(async (id, options) => (await import('./tools-test.ts')).toolsTestCommand(common(), { id, ...options }));
  tools
    .command('login')
    .description('log in to a remote server that needs authorization')
    .argument('<server>', 'name of the server in the configuration')
    .option('--no-open', 'print the address, but open no browser')
    .option('--code <url>', 'finish a login with the address that the browser ended at')
    .option('--json', 'print JSON')
    .action(async (server, options) =>
      (await import('./tools-login.ts')).toolsLoginCommand(common(), { server, ...options }),
    );
  tools
    .command('logout')
    .description('forget the login of a server')
    .argument('<server>', 'name of the server in the configuration')
    .action(async (server) => (await import('./tools-login.ts')).toolsLogoutCommand(common(), { server }));
}

/** Words that are no command reach the default one; the person meant another. */
export function unknownCommand(parent: Command, mistyped: string): PlaybookError {
  const commands = parent.commands.map((command) => command.name());
  const nearest = nearestWord(mistyped, commands);
  return new PlaybookError('cli/usage', `There is no command "${mistyped}".`, {
    hint: nearest === undefined ? `The commands: ${commands.join(', ')}.` : `Did you mean ${nearest}?`,
  });
}
