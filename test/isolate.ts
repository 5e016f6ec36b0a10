import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { endFile } from './file-ends.ts';

// Before the first file of this worker this is the machine's own; each file leaves it as it was.
const outer = tmpdir();
const home = mkdtempSync(join(outer, 'playbook-mcp-test-'));
// PostgreSQL is started as another user, whose folder is below.
chmodSync(home, 0o711);
process.env.TMPDIR = join(home, 'tmp');
mkdirSync(process.env.TMPDIR);
process.env.PLAYBOOK_MCP_HOME = join(home, 'state');
process.env.HOME = home;
process.env.USERPROFILE = home;
for (const name of ['PLAYBOOK_MCP_CONFIG', 'PLAYBOOK_WORKSPACE', 'CLAUDE_PROJECT_DIR', 'WORKSPACE_FOLDER_PATHS']) {
  delete process.env[name];
}

afterAll(async () => {
  await endFile();
  process.env.TMPDIR = outer;
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
});
