import { existsSync } from 'node:fs';
import { findDangling } from '../catalog/references.ts';
import type { Diagnostic } from '../model.ts';
import { packageInfo } from '../server/package-root.ts';
import type { Snapshot } from '../server/snapshot.ts';
import { gitSourceLine, type GitSourceReport, reportGitSources } from './git-source-report.ts';
import { findLocalProblems } from './local-problems.ts';
import { type CommonOptions, secondsToMs, withRuntime } from './options.ts';
import { bold, dim, exitWith, green, print, printJson, red, table, yellow } from './print.ts';
import { findToolProblems, printToolProblems } from './tool-problems.ts';
import { isUnusable, isWell, printUpstreams } from './upstream-report.ts';

export interface DoctorOptions {
  readonly offline?: boolean;
  /** Seconds, as written. */
  readonly timeout: string;
  readonly json?: boolean;
}

/** Prints what is configured, what is served, and everything that is wrong; exits 1 on an error, 5 on a dead upstream. */
export async function doctorCommand(common: CommonOptions, options: DoctorOptions): Promise<void> {
  const isOnline = options.offline !== true;
  const connectTimeoutMs = secondsToMs(options.timeout);
  const fetchSources = isOnline ? 'stale' : 'never';
  await withRuntime({ ...common, listsUpstreams: false, connectTimeoutMs, fetchSources }, async (runtime) => {
    if (isOnline) await Promise.all(runtime.upstreams.status().map(({ name }) => runtime.upstreams.probe(name)));
    const snapshot = await runtime.snapshot();
    const upstreams = runtime.upstreams.status();
    const tools = await findToolProblems(snapshot);
    const gitSources = await reportGitSources(runtime.config, process.env);
    const local = await findLocalProblems(runtime.config, { configPath: runtime.configPath, env: process.env });
    const diagnostics = [...snapshot.diagnostics, ...local, ...findDangling(snapshot.catalog)];
    if (snapshot.diagnostics.some(({ severity }) => severity === 'error')) exitWith(1);
    if (snapshot.catalog.quarantined.size > 0) exitWith(1);
    if (upstreams.some(isUnusable)) exitWith(5);
    if (options.json === true) {
      printJson({
        version: packageInfo().version,
        node: process.version,
        config: runtime.configPath,
        ...toJson(snapshot),
        diagnostics,
        gitSources,
        upstreams,
        tools,
      });
      return;
    }
    print(`playbook-mcp ${packageInfo().version}, Node ${process.version}`);
    print(
      `Configuration: ${runtime.configPath}${existsSync(runtime.configPath) ? '' : dim(' (not there: defaults are used)')}`,
    );
    print(`Workspace: ${snapshot.workspace?.directory ?? 'none'}`);
    printSources(snapshot, gitSources);
    printUpstreams(upstreams);
    printToolProblems(tools);
    printDiagnostics(diagnostics);
    if (upstreams.some(isUnusable)) print(`\n${red('An upstream server cannot be used.')}`);
    else if (diagnostics.length === 0 && tools.length === 0 && upstreams.every(isWell))
      print(`\n${green('No problems found.')}`);
  });
}

function printSources(snapshot: Snapshot, gitSources: readonly GitSourceReport[]): void {
  print(`\n${bold('Sources')}`);
  const counts = countBySource(snapshot);
  const rows = snapshot.sources.flatMap((source) =>
    source.folders.map((folder, i) => [
      `  ${i === 0 ? source.label : ''}`,
      i === 0 ? countText(counts.get(source.label) ?? 0) : '',
      folder,
    ]),
  );
  print(rows.length === 0 ? '  none: no folder of playbooks was found' : table(rows));
  for (const report of gitSources) print(dim(`  ${report.name}: ${gitSourceLine(report)}`));
}

function printDiagnostics(diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length === 0) return;
  print(`\n${bold('Problems')}`);
  for (const { path, line, column, severity, message, rule, hint } of diagnostics) {
    const colour = severity === 'error' ? red : severity === 'warning' ? yellow : dim;
    print(`  ${path}:${line}:${column} ${colour(severity)} ${message} ${dim(rule)}`);
    if (hint !== undefined) print(`    ${dim(hint)}`);
  }
}

function toJson(snapshot: Snapshot): object {
  const counts = countBySource(snapshot);
  return {
    workspace: snapshot.workspace?.directory ?? null,
    sources: snapshot.sources.map(({ label, kind, folders, isTrusted }) => ({
      label,
      kind,
      folders,
      isTrusted,
      playbooks: counts.get(label) ?? 0,
    })),
  };
}

function countText(playbooks: number): string {
  return `${playbooks} playbook${playbooks === 1 ? '' : 's'}`;
}

function countBySource({ catalog }: Snapshot): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const entry of catalog.entries) {
    if (entry.kind === 'playbook') counts.set(entry.source, (counts.get(entry.source) ?? 0) + 1);
  }
  return counts;
}
