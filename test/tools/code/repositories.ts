import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Runs git with an identity, and nothing of the machine's own configuration. */
export function git(cwd: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'protocol.file.allow=always'];
  return execFileSync('git', [...identity, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** A repository with these files committed. */
export function seedRepository(folder: string, files: Readonly<Record<string, string | Buffer>>): string {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q');
  writeFiles(folder, files);
  git(folder, 'add', '-f', '.');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'All');
  return folder;
}

export function writeFiles(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

export function tempRoot(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'playbook-mcp-code-')));
}
