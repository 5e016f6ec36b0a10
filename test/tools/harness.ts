import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { onTestFinished } from 'vitest';

import type { RemoteUpstreamConfig, StdioUpstreamConfig, UpstreamConfig } from '../../src/config/index.ts';
import type { UpstreamsOptions } from '../../src/tools/upstreams-options.ts';
import { openUpstreams, type Upstreams } from '../../src/tools/upstreams.ts';

const BASE = { tags: [], allow: ['*'], deny: [], timeoutMs: 20_000 };

export function tempDir(): string {
  return mkdtempSync(join(tmpdir(), 'playbook-mcp-tools-'));
}

export function stdio(
  name: string,
  args: readonly string[],
  more: Partial<StdioUpstreamConfig> = {},
): StdioUpstreamConfig {
  return { name, transport: 'stdio', command: process.execPath, args, env: {}, ...BASE, ...more };
}

export function remote(name: string, url: string, more: Partial<RemoteUpstreamConfig> = {}): RemoteUpstreamConfig {
  return { name, transport: 'http', url, headers: {}, ...BASE, ...more };
}

/** A fake upstream of test/tools/fakes, by mode. */
export function fake(
  mode: string,
  more: Partial<StdioUpstreamConfig> & { readonly startsFile?: string } = {},
): StdioUpstreamConfig {
  const { startsFile, ...config } = more;
  return stdio(mode, [fakePath('raw-upstream.mjs'), mode, ...(startsFile === undefined ? [] : [startsFile])], config);
}

export function fakePath(file: string): string {
  return fileURLToPath(new URL(`fakes/${file}`, import.meta.url));
}

/** Path of the script that a server package starts, such as `server-everything`. */
export function serverScript(name: string): string {
  const manifest = createRequire(import.meta.url).resolve(`@modelcontextprotocol/${name}/package.json`);
  return join(dirname(manifest), 'dist', 'index.js');
}

export interface Opened {
  readonly upstreams: Upstreams;
  /** Every line of the log, as `level server: message`. */
  readonly log: readonly string[];
  readonly cacheDir: string;
}

/** Upstreams that are closed when the test ends. */
export function open(configs: readonly UpstreamConfig[], options: Partial<UpstreamsOptions> = {}): Opened {
  const log: string[] = [];
  const cacheDir = options.cacheDir ?? tempDir();
  const upstreams = openUpstreams({
    upstreams: configs,
    log: (level, message, fields) => log.push(`${level} ${String(fields['server'])}: ${message}`),
    clientInfo: { name: 'test', version: '1.0.0' },
    approvalsFile: join(cacheDir, 'approved.json'),
    credentialsFile: join(cacheDir, 'oauth', 'credentials.json'),
    ...options,
    cacheDir,
  });
  onTestFinished(() => upstreams.close());
  return { upstreams, log, cacheDir };
}

/** Resolves when the condition holds; the test's own timeout ends the wait. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10);
}

/** Whether the process runs; one that has ended and that nobody has buried yet does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = `/proc/${pid}/stat`;
    return !existsSync(stat) || !/^\d+ \(.*\) Z/s.test(readFileSync(stat, 'utf8'));
  } catch {
    // It went between two looks at it, or before the first.
    return false;
  }
}

/** Watches of a process, as Linux counts them. */
export function watchCount(pid: number): number {
  return readdirSync(`/proc/${pid}/fdinfo`).reduce((sum, file) => {
    const path = `/proc/${pid}/fdinfo/${file}`;
    return sum + (existsSync(path) ? (readFileSync(path, 'utf8').match(/^inotify/gm)?.length ?? 0) : 0);
  }, 0);
}
