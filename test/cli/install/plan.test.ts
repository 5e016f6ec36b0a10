import { describe, expect, it } from 'vitest';
import { CLIENT_IDS, type ClientId } from '../../../src/cli/install/client-paths.ts';
import { type Client, clientOf, serversIn, startsUs } from '../../../src/cli/install/clients.ts';
import { planInstall, planUninstall } from '../../../src/cli/install/plan.ts';
import type { TextFile } from '../../../src/cli/install/text-file.ts';
import { messageOf } from '../../../src/errors.ts';

const program = { command: 'npx', args: ['-y', 'playbook-mcp@1.2.3'] };
const launch = { ...program, flags: [] };
const config = fileOf('');

function fileOf(text: string): TextFile {
  return { path: '/client', realPath: text === '' ? undefined : '/client', text };
}

function installed(client: Client, text: string, migrates = false): ReturnType<typeof planInstall> {
  return planInstall(client, fileOf(text), { launch, migrates, config, project: undefined, env: { TOKEN: 'x' } });
}

/** Shapes of files that a client may have, with its section where a shape has one. */
const JSON_SHAPES: readonly { readonly name: string; readonly text: (section: string) => string }[] = [
  { name: 'an empty object', text: () => '{}' },
  { name: 'an empty object with a line end', text: () => '{}\n' },
  { name: 'an empty section', text: (section) => `{ "${section}": {} }\n` },
  { name: 'other settings', text: () => '{\n  "b": 1,\n  "a": [1, 2]\n}\n' },
  { name: 'no final newline', text: () => '{\n  "b": 1\n}' },
  { name: 'another server', text: (section) => `{\n  "${section}": {\n    "x": { "command": "y" }\n  }\n}\n` },
  { name: 'tabs', text: (section) => `{\n\t"${section}": {\n\t\t"x": {\n\t\t\t"command": "y"\n\t\t}\n\t}\n}\n` },
  { name: 'CRLF', text: (section) => `{\r\n  "${section}": {\r\n    "x": { "command": "y" }\r\n  }\r\n}\r\n` },
  { name: 'a byte order mark', text: () => '\uFEFF{\n  "b": 1\n}\n' },
  {
    name: 'comments and trailing commas',
    text: (section) =>
      `// head\n{\n  "b": 1, // one\n  /* two */\n  "${section}": {\n    // x\n    "x": { "command": "y" }, // why\n  },\n}\n// foot\n`,
  },
  { name: 'a comment alone', text: () => '{\n  // none yet\n}\n' },
  { name: 'a comment behind the brace', text: (section) => `{\n  "${section}": { // none yet\n  }\n}\n` },
  { name: 'a comment behind the last property', text: () => '{\n  "b": 1 // one\n}\n' },
  { name: 'a comment within a line', text: (section) => `{ "${section}": { /* none yet */ } }\n` },
  { name: 'one line', text: () => '{"b":1,"a":{"c":2}}' },
  { name: 'a section on one line', text: (section) => `{ "b": 1, "${section}": { "x": { "command": "y" } } }\n` },
];

const TOML_SHAPES: readonly { readonly name: string; readonly text: string }[] = [
  { name: 'top-level keys', text: 'model = "x"\n' },
  { name: 'no final newline', text: 'model = "x"' },
  { name: 'CRLF', text: '# c\r\nmodel = "x"\r\n\r\n[a.b]\r\nc = 1\r\n' },
  { name: 'a byte order mark', text: '\uFEFFmodel = "x"\n' },
  { name: 'comments only', text: '# mine\n' },
  { name: 'another server', text: '[mcp_servers.x]\ncommand = "y" # why\n\n[mcp_servers.x.env]\nA = "1"\n\n# foot\n' },
  { name: 'servers below one header', text: '[mcp_servers]\nx = { command = "y" }\n' },
  { name: 'a table behind the servers', text: '[mcp_servers.x]\ncommand = "y"\n\n[z]\na = 1\n' },
  { name: 'dotted keys', text: 'mcp_servers.x.command = "y"\n' },
  { name: 'two blank lines at the end', text: 'model = "x"\n\n\n' },
];

interface Case {
  readonly id: ClientId;
  readonly name: string;
  readonly text: string;
}

const CASES = CLIENT_IDS.flatMap((id): Case[] => {
  const { section } = clientOf(id);
  return id === 'codex'
    ? TOML_SHAPES.map(({ name, text }) => ({ id, name, text }))
    : JSON_SHAPES.map(({ name, text }) => ({ id, name, text: text(section) }));
});

describe('planInstall', () => {
  it.each(CASES)('puts us into $id: $name, and keeps every other value', ({ id, text }) => {
    const client = clientOf(id);
    const { after } = installed(client, text);
    const entry = serversIn(client, after, '/client').get('playbooks');
    expect(entry).toMatchObject(client.entryFor(launch));
    const before = JSON.stringify(client.format.read(text, '/client', []));
    const { [client.section]: section, ...others } = client.format.read(after, '/client', []) as Record<string, object>;
    const { playbooks: _ours, ...servers } = section as Record<string, object>;
    expect({ ...others, ...(before.includes(client.section) && { [client.section]: servers }) }).toEqual(
      JSON.parse(before),
    );
    expect(installed(client, after).after).toBe(after);
  });

  it.each(CASES)('is undone to the byte where only its edit is known, for $id: $name', ({ id, text }) => {
    // Layouts of one line are written anew by the editor; `uninstall` restores them from the backup.
    if (/^\uFEFF?\{.*\}$/.test(text.trim()) && text.trim() !== '{}') return;
    const client = clientOf(id);
    const plan = installed(client, text);
    const undoing = { madeSection: plan.madeSection, madeFile: false, moved: [], before: text };
    const { after } = planUninstall(client, fileOf(plan.after), undoing);
    // A line end that a file of TOML lacked is not known to be ours.
    const known = (file = ''): string => (id === 'codex' ? file.trimEnd() : file);
    expect(known(after)).toBe(known(text));
  });

  it('is taken out with its comma, wherever that stands', () => {
    const client = clientOf('cursor');
    const text = '{\n  "mcpServers": {\n    // mine\n    "x": { "command": "y" }\n    , }\n}\n';
    const undoing = { madeSection: false, madeFile: false, moved: ['x'], before: text };
    const undone = planUninstall(client, fileOf(installed(client, text, true).after), undoing);
    expect([...serversIn(client, undone.after ?? '', '/client').keys()]).toEqual(['x']);
  });

  it('updates its own entry where it stands below keys of others', () => {
    const client = clientOf('codex');
    const text =
      '[mcp_servers]\nplaybooks = { command = "npx", args = ["playbook-mcp@0.9.0"] }\nx = { command = "y" }\n';
    const { after } = installed(client, text);
    expect([...serversIn(client, after, '/client').keys()]).toEqual(['x', 'playbooks']);
    expect(installed(client, after).after).toBe(after);
  });

  it('updates its own entry, under whatever name, and keeps what a person added to it', () => {
    const client = clientOf('cursor');
    const text = '{"mcpServers":{"mine":{"command":"npx","args":["-y","playbook-mcp@0.9.0"],"env":{"A":"b"}}}}';
    const { after, name } = installed(client, text);
    expect(name).toBe('mine');
    expect(JSON.parse(after)).toEqual({ mcpServers: { mine: { type: 'stdio', ...program, env: { A: 'b' } } } });
  });

  it.each(['{"command":"other"}', '"off"', 'null'])('refuses what a foreign %s has under its name', (other) => {
    expect(() => installed(clientOf('zed'), `{"context_servers":{"playbooks":${other}}}`)).toThrow(
      expect.objectContaining({ code: 'config/taken-name' }),
    );
  });

  it('leaves a server alone that works on a checkout of ours', () => {
    const files = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/src/playbook-mcp'] };
    const client = clientOf('cursor');
    const { after } = installed(client, JSON.stringify({ mcpServers: { files } }));
    expect(JSON.parse(after).mcpServers).toEqual({ files, playbooks: { type: 'stdio', ...program } });
    const undone = planUninstall(client, fileOf(after), { madeSection: false, madeFile: false, moved: [], before: '' });
    expect(JSON.parse(undone.after ?? '').mcpServers).toEqual({ files });
  });

  it.each([
    { id: 'cursor', text: '{\n  "a": 1\n  "b": 2\n}', code: 'config/not-json', place: '/client:3:3' },
    { id: 'vscode', text: '[]', code: 'config/not-json', place: '/client:1:1' },
    { id: 'codex', text: 'a = 1\nb = \n', code: 'config/not-toml', place: '/client:' },
    { id: 'codex', text: 'a = 1\na = 2\n', code: 'config/not-toml', place: '/client:2:1' },
    { id: 'gemini', text: '{"mcpServers": []}', code: 'config/uneditable', place: '/client' },
    { id: 'codex', text: 'mcp_servers = { x = { command = "y" } }\n', code: 'config/uneditable', place: '/client' },
  ] as const)('names the place of a fault, for $id: $text', ({ id, text, code, place }) => {
    let thrown: unknown;
    try {
      installed(clientOf(id), text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code });
    expect(messageOf(thrown)).toContain(place);
  });
});

const FOREIGN: Readonly<Record<ClientId, { readonly text: string; readonly entry: object }>> = {
  'claude-code': {
    text: '{"mcpServers":{"x":{"type":"http","url":"https://x.test/mcp","headers":{"A":"Bearer ${TOKEN}"}}}}',
    entry: { type: 'http', url: 'https://x.test/mcp', headers: { A: 'Bearer ${TOKEN}' } },
  },
  'claude-desktop': {
    text: '{"mcpServers":{"x":{"command":"y","args":["-a"]}}}',
    entry: { command: 'y', args: ['-a'] },
  },
  cursor: {
    text: '{"mcpServers":{"x":{"command":"y","env":{"A":"${env:TOKEN}"}}}}',
    entry: { command: 'y', env: { A: '${env:TOKEN}' } },
  },
  vscode: {
    text: '{"servers":{"x":{"type":"stdio","command":"y","envFile":"/e/.env"}}}',
    entry: { type: 'stdio', command: 'y', envFile: '/e/.env' },
  },
  codex: {
    text: '[mcp_servers.x]\nurl = "https://x.test/mcp"\nbearer_token_env_var = "TOKEN"\ntool_timeout_sec = 1.5\nenabled = false\n',
    entry: {
      url: 'https://x.test/mcp',
      timeoutMs: 1500,
      headers: { Authorization: 'Bearer ${TOKEN}' },
      disabled: true,
    },
  },
  gemini: {
    text: '{"mcpServers":{"x":{"httpUrl":"https://x.test/mcp","headers":{"A":"$TOKEN"},"excludeTools":["z"],"trust":true}}}',
    entry: { url: 'https://x.test/mcp', type: 'http', headers: { A: '${TOKEN}' }, deny: ['z'] },
  },
  windsurf: {
    text: '{"mcpServers":{"x":{"serverUrl":"https://x.test/mcp","disabledTools":["z"]}}}',
    entry: { url: 'https://x.test/mcp', deny: ['z'] },
  },
  zed: {
    text: '{"context_servers":{"x":{"source":"custom","command":{"path":"y","args":["-a"],"env":{}}}}}',
    entry: { command: 'y', args: ['-a'], env: {} },
  },
  opencode: {
    text: '{"mcp":{"x":{"type":"local","command":["y","-a"],"environment":{"A":"{env:TOKEN}"},"enabled":true}}}',
    entry: { command: 'y', args: ['-a'], env: { A: '${TOKEN}' } },
  },
};

describe('moving servers behind us', () => {
  it.each(CLIENT_IDS)('takes a server of %s over, and puts it back', (id) => {
    const client = clientOf(id);
    const { text, entry } = FOREIGN[id];
    const plan = installed(client, text, true);
    expect(plan).toMatchObject({ moved: [{ name: 'x' }], left: [] });
    expect(JSON.parse(plan.configAfter)).toEqual({ mcpServers: { x: entry } });
    expect([...serversIn(client, plan.after, '/client').keys()]).toEqual(['playbooks']);
    const undoing = { madeSection: false, madeFile: false, moved: ['x'], before: text };
    const { after = '', restored } = planUninstall(client, fileOf(plan.after), undoing);
    expect(restored).toEqual(['x']);
    expect([...serversIn(client, after, '/client')]).toEqual([...serversIn(client, text, '/client')]);
  });

  it('takes a server of codex over that stands above other tables', () => {
    const { moved } = installed(clientOf('codex'), '[mcp_servers.x]\ncommand = "y"\n\n[z]\na = 1\n', true);
    expect(moved).toMatchObject([{ name: 'x' }]);
  });

  it.each([
    { name: 'a variable that asks a person', id: 'vscode', server: '{"command":"y","env":{"A":"${input:key}"}}' },
    { name: 'a variable of the workspace', id: 'cursor', server: '{"command":"y","args":["${workspaceFolder}"]}' },
    { name: 'text that we would expand', id: 'claude-desktop', server: '{"command":"y","args":["${HOME}"]}' },
    { name: 'neither program nor address', id: 'zed', server: '{"settings":{"a":1}}', why: /only zed/ },
    { name: 'what our configuration refuses', id: 'cursor', server: '{"url":"no address"}', why: /(?<! is off\.)$/ },
  ] as const)('leaves a server where it is for $name', ({ id, server, why = /has a value only in/ }) => {
    const client = clientOf(id);
    const plan = installed(client, `{"${client.section}":{"x":${server}}}`, true);
    expect(plan.left).toEqual([{ name: 'x', reason: expect.stringMatching(why) }]);
    expect(plan.configAfter).toBe('');
    expect([...serversIn(client, plan.after, '/client').keys()].toSorted()).toEqual(['playbooks', 'x']);
  });

  it('leaves a server whose name means another one in our configuration', () => {
    const wish = { launch, migrates: true, project: undefined, env: {} };
    const taken = { ...config, text: '{"servers":{"x":{"command":"other"}}}' };
    const plan = planInstall(clientOf('cursor'), fileOf('{"mcpServers":{"x":{"command":"y"}}}'), {
      ...wish,
      config: taken,
    });
    expect(plan).toMatchObject({ moved: [], left: [{ name: 'x' }], configAfter: taken.text });
  });

  it('starts a project’s servers in the project', () => {
    const wish = { launch, migrates: true, config, project: '/work/p', env: {} };
    const { configAfter } = planInstall(
      clientOf('claude-code'),
      fileOf('{"mcpServers":{"x":{"command":"./y"}}}'),
      wish,
    );
    expect(JSON.parse(configAfter)).toEqual({ mcpServers: { x: { command: './y', cwd: '/work/p' } } });
  });
});

describe('the flags of our entry', () => {
  it.each<{ id: ClientId; entry: object; keys: readonly string[] }>([
    { id: 'cursor', entry: { command: 'npx', args: ['-y', 'playbook-mcp@0.9.0', '--no-starter'] }, keys: ['args'] },
    {
      id: 'cursor',
      entry: { command: 'npx', args: ['-p', 'playbook-mcp@0.9.0', 'playbook-mcp', '--no-starter'] },
      keys: ['args'],
    },
    {
      id: 'gemini',
      entry: { command: 'npm', args: ['exec', 'playbook-mcp@0.9.0', '--', '--no-starter'] },
      keys: ['args'],
    },
    { id: 'windsurf', entry: { command: 'playbook-mcp', args: ['--no-starter'] }, keys: ['args'] },
    { id: 'codex', entry: { command: 'node', args: ['/x/bin/playbook-mcp.js', '--no-starter'] }, keys: ['args'] },
    { id: 'zed', entry: { command: { path: 'npx', args: ['playbook-mcp', '--no-starter'] } }, keys: ['args'] },
    { id: 'opencode', entry: { command: ['npx', 'playbook-mcp', '--no-starter'] }, keys: ['command'] },
  ])('stay in a new entry of $id where the command line has none: $entry', ({ id, entry, keys }) => {
    const client = clientOf(id);
    const text = client.format.edit('', '/client', { keys: [client.section, 'mine'], value: entry });
    const { after, replacedFlags } = installed(client, text);
    expect(client.format.read(after, '/client', [client.section, 'mine', ...keys])).toEqual([
      ...(id === 'opencode' ? ['npx'] : []),
      '-y',
      'playbook-mcp@1.2.3',
      '--no-starter',
    ]);
    expect(replacedFlags).toEqual([]);
  });

  it('give way to those of the command line, and are told', () => {
    const text = '{"mcpServers":{"mine":{"command":"npx","args":["playbook-mcp","--no-starter"]}}}';
    const flags = ['--playbooks', '/p'];
    const wish = { launch: { ...program, args: [...program.args, ...flags], flags }, migrates: false };
    const plan = planInstall(clientOf('cursor'), fileOf(text), { ...wish, config, project: undefined, env: {} });
    expect(JSON.parse(plan.after).mcpServers.mine.args).toEqual(['-y', 'playbook-mcp@1.2.3', '--playbooks', '/p']);
    expect(plan.replacedFlags).toEqual(['--no-starter']);
  });
});

describe('startsUs', () => {
  it.each([
    { entry: { command: 'npx', args: ['-y', 'playbook-mcp'] }, isUs: true },
    { entry: { command: 'npx', args: ['playbook-mcp@latest', '--no-starter'] }, isUs: true },
    { entry: { command: ['node', '/x/playbook-mcp/dist/bin/playbook-mcp.js'] }, isUs: true },
    { entry: { command: 'C:\\bin\\playbook-mcp' }, isUs: true },
    { entry: { command: 'cmd', args: ['/c', 'npx', '-y', 'playbook-mcp'] }, isUs: true },
    { entry: { command: 'npm', args: ['exec', '--', 'playbook-mcp'] }, isUs: true },
    { entry: { command: '/usr/bin/node', args: ['/usr/local/bin/playbook-mcp'] }, isUs: true },
    { entry: { command: 'npx', args: ['-y', 'my-playbook-mcp-server'] }, isUs: false },
    { entry: { command: 'npx', args: ['-y', 'some-files-server', '/src/playbook-mcp'] }, isUs: false },
    { entry: { command: 'uvx', args: ['some-git-server', '--repository', 'playbook-mcp'] }, isUs: false },
    { entry: { command: 'npm', args: ['--prefix', '/src/playbook-mcp', 'start'] }, isUs: false },
    { entry: { command: 'node', args: ['/x/playbook-mcp/other.js'] }, isUs: false },
  ])('is $isUs for $entry', ({ entry, isUs }) => {
    expect(startsUs(entry)).toBe(isUs);
  });
});
