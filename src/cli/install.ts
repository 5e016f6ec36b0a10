import { resolve } from 'node:path';
import { loadConfig } from '../config/index.ts';
import { PlaybookError } from '../errors.ts';
import { findGitRoot, realPathOf } from '../files/places.ts';
import { type ClientId, machineOf, projectPaths, userPaths } from './install/client-paths.ts';
import { type Client, clientOf, JSONC } from './install/clients.ts';
import { diffOf, type Edit } from './install/diff.ts';
import { type LaunchKind, launchOf } from './install/launch.ts';
import { Ledger } from './install/ledger.ts';
import { type InstallPlan, OUR_NAME, planInstall } from './install/plan.ts';
import { carryOut } from './install/carry-out.ts';
import { readTextFile, type TextFile } from './install/text-file.ts';
import { uninstall } from './install/uninstall.ts';
import type { CommonOptions } from './options.ts';
import { dim, green, print, printExact, printJson, remark, yellow } from './print.ts';

/** `install`'s own flags, as commander reads them. */
export interface InstallOptions {
  readonly client: ClientId;
  readonly scope: 'user' | 'project';
  readonly launch?: LaunchKind;
  readonly migrate?: boolean;
  readonly uninstall?: boolean;
  readonly print?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/**
 * Puts this server into a client's configuration, or takes it out again; everything else in the file stays as it is.
 *
 * @throws PlaybookError `cli/usage`; as `planInstall`, `readTextFile` and `writeTextFile`.
 */
export async function installCommand(common: CommonOptions, options: InstallOptions): Promise<void> {
  const client = clientOf(options.client);
  const isShared = options.scope === 'project';
  const launch = launchOf(common, { kind: options.launch, isShared, platform: process.platform });
  if (options.print === true) {
    const change = { keys: [client.section, OUR_NAME], value: client.entryFor(launch) } as const;
    return printExact(client.format.edit('', client.label, change));
  }
  const { path, project } = await placeOf(client, options);
  if (options.uninstall === true) return uninstall(client, path, options);
  await Ledger.with(process.env, async (ledger) => {
    const file = await readTextFile(path);
    const config = await ownConfig(common, options);
    const migrates = options.migrate === true;
    const plan = planInstall(client, file, { launch, migrates, config, project, env: process.env });
    const edits: readonly Edit[] = [
      { file, after: plan.after, format: client.format },
      { file: config, after: plan.configAfter, format: JSONC },
    ];
    const backup =
      options.dryRun === true ? undefined : await carryOut(ledger, { client, file, config, plan, isShared });
    if (options.json === true) return printJson(toReport(client, { file, plan, backup, options, config }));
    if (options.dryRun === true) printExact(await diffOf(edits));
    tell(client, { file, plan, backup, options, config });
  });
}

interface Place {
  readonly path: string;
  readonly project: string | undefined;
}

/** @throws PlaybookError `cli/usage`. */
async function placeOf(client: Client, { scope }: InstallOptions): Promise<Place> {
  const machine = machineOf(process.env);
  if (scope === 'user') return { path: await firstThere(userPaths(client.id, machine)), project: undefined };
  const cwd = (await realPathOf('.')) ?? resolve('.');
  const project = (await findGitRoot(cwd, process.env)) ?? cwd;
  const paths = projectPaths(client.id, machine, project);
  if (paths !== undefined) return { path: await firstThere(paths), project };
  throw new PlaybookError('cli/usage', `${client.label} has no servers of a project.`, { hint: 'Leave --scope out.' });
}

async function firstThere(paths: readonly [string, ...string[]]): Promise<string> {
  for (const path of paths) if ((await realPathOf(path)) !== undefined) return path;
  return paths[0];
}

/** Our own configuration file; not read where nothing is moved into it. */
async function ownConfig({ config }: CommonOptions, { migrate }: InstallOptions): Promise<TextFile> {
  if (migrate !== true) return { path: '', realPath: undefined, text: '' };
  const { path } = await loadConfig({ env: process.env, ...(config === undefined ? {} : { configPath: config }) });
  return readTextFile(path);
}

interface Outcome {
  readonly file: TextFile;
  /** Our own configuration, where servers are moved into it. */
  readonly config: TextFile;
  readonly plan: InstallPlan;
  readonly backup: string | undefined;
  readonly options: InstallOptions;
}

function toReport(client: Client, { file, plan, backup, options }: Outcome): object {
  return {
    client: client.id,
    scope: options.scope,
    path: file.path,
    name: plan.name,
    isChanged: plan.after !== file.text,
    dryRun: options.dryRun === true,
    ...(backup === undefined ? {} : { backup }),
    moved: plan.moved,
    left: plan.left,
  };
}

function tell(client: Client, { file, config, plan, backup, options }: Outcome): void {
  for (const { name, notes } of plan.moved) {
    remark(`${options.dryRun === true ? 'would move' : 'moved'} ${name} behind playbook-mcp`);
    for (const note of notes) remark(`  ${yellow('note')}: ${note}`);
  }
  for (const { name, reason } of plan.left) remark(`${yellow('left')} ${name} where it is: ${reason}`);
  if (plan.after === file.text) return remark(`${file.path} has it already; nothing was changed.`);
  if (options.dryRun === true) return remark(dim(`Nothing was written to ${file.path}.`));
  if (plan.replacedFlags.length > 0)
    remark(`${yellow('note')}: it was started with ${plan.replacedFlags.join(' ')} until now.`);
  print(`${green('wrote')} ${file.path}`);
  if (plan.configAfter !== config.text) print(`${green('wrote')} ${config.path}`);
  if (backup !== undefined) remark(dim(`What was there: ${backup}`));
  remark(`${client.next}\nplaybook-mcp install ${client.id} --uninstall takes it out again.`);
}
