/** Packs the product, installs the tarball in an empty folder, and talks to what was installed over stdio. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'playbook-mcp-smoke-'));
mkdirSync(folder, { recursive: true });
try {
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    encoding: 'utf8',
  });
  const [tarball] = JSON.parse(packed) as { filename: string; size: number; entryCount: number }[];
  if (tarball === undefined) throw new Error('npm pack made no tarball.');
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', join(folder, tarball.filename)], {
    cwd: folder,
    stdio: 'inherit',
  });

  const client = new Client({ name: 'smoke', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const command = join(folder, 'node_modules', '.bin', 'playbook-mcp');
  const env = { ...(process.env as Record<string, string>), PLAYBOOK_MCP_HOME: join(folder, 'home') };
  await client.connect(new StdioClientTransport({ command, args: [], env, cwd: folder, stderr: 'inherit' }));
  const { tools } = await client.listTools();
  const found = await client.callTool({ name: 'search', arguments: { query: 'upgrade a dependency' } });
  await client.close();

  const names = tools.map(({ name }) => name).join(', ');
  const text = JSON.stringify(found.content);
  if (names !== 'search, get_schema, execute') throw new Error(`The installed server lists: ${names}`);
  if (!text.includes('upgrade-dependency'))
    throw new Error(`The installed server does not find its own playbook: ${text}`);
  process.stderr.write(
    `smoke: ${tarball.filename}, ${tarball.entryCount} files, ${Math.round(tarball.size / 1024)} KiB: installed, listed, searched\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
