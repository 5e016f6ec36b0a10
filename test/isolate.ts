import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { endFile } from './file-ends.ts';

const home = mkdtempSync(join(tmpdir(), 'playbook-mcp-test-'));
process.env.PLAYBOOK_MCP_HOME = join(home, 'state');
process.env.HOME = home;
process.env.USERPROFILE = home;
for (const name of ['PLAYBOOK_MCP_CONFIG', 'PLAYBOOK_WORKSPACE', 'CLAUDE_PROJECT_DIR', 'WORKSPACE_FOLDER_PATHS']) {
  delete process.env[name];
}

afterAll(async () => {
  await endFile();
  rmSync(home, { recursive: true, force: true });
});
