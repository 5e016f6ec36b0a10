import { describe, expect, it } from 'vitest';
import { configFile, registryServer, seedFolder } from '../product.ts';
import { eras, modernClient, modernRequest, startHttp } from './http-product.ts';

const open = seedFolder({
  'deploy.md':
    '---\ndescription: Deploy a service to production.\ntags: [domain:ship]\nreferences: [secret:break-glass]\n---\nSee [[break-glass]].\n',
});
const secret = seedFolder({
  'break-glass.md': '---\ndescription: Break the glass for emergency access.\ntags: [domain:zebra]\n---\nThe code.\n',
  'vault/SKILL.md': '---\nname: vault\ndescription: Open the vault of emergencies.\n---\nThe combination.\n',
  'vault/map.txt': 'the map',
});
const sources = [
  { name: 'open', path: open },
  { name: 'secret', path: secret, scope: 'sre' },
];
const tokens = [
  { token: 'sre-secret', name: 'sre', scopes: ['search', 'execute', 'sre'] },
  { token: 'dev-secret', name: 'dev' },
];
const servers = { hidden: { ...registryServer('server-everything'), scope: 'sre' } };
const config = configFile(servers, { sources, http: { tokens } });
const home = seedFolder({});
const product = startHttp({ args: ['--no-starter', '--config', config] });

/** Every word that only the limited source or server has. */
const HIDDEN = /break-glass|glass for|vault|zebra|The code|combination|the map|hidden|secret:/i;

const asked = [
  { tool: 'search', args: { query: 'emergency access' } },
  { tool: 'search', args: {} },
  { tool: 'search', args: { tags: ['domain:zebra'] } },
  { tool: 'search', args: { query: 'echo', kind: 'tool' } },
  { tool: 'get_schema', args: { ids: ['open:deploy'] } },
  { tool: 'execute', args: { id: 'deploy' } },
  { tool: 'execute', args: { id: 'playbooks__report', arguments: { id: 'deploy', problem: 'x' } } },
] as const;
/** What names it outright: the answer may say the name back, and nothing else. */
const named = [
  'break-glass',
  'secret:break-glass',
  'break-glas',
  'vault',
  'vault/map.txt',
  'vault#the',
  'hidden__echo',
  'hidden__nothing',
];
const lists = ['resources/list', 'prompts/list', 'skills/list', 'resources/templates/list'];

async function raw(token: string, method: string, params: Record<string, unknown>): Promise<string> {
  const response = await fetch((await product).url, modernRequest(method, params, { token }));
  return response.text();
}

describe('a source and a server that are limited to a scope', () => {
  it.each(eras)('are there for a caller of $era who has it', async ({ connect }) => {
    const client = await connect((await product).url, { token: 'sre-secret' });
    const found = await client.callTool({ name: 'search', arguments: { query: 'emergency break glass' } });
    expect(JSON.stringify(found)).toContain('break-glass');
    const executed = await client.callTool({ name: 'execute', arguments: { id: 'break-glass' } });
    expect(JSON.stringify(executed)).toContain('The code.');
    const tool = await client.callTool({
      name: 'execute',
      arguments: { id: 'hidden__echo', arguments: { message: 'hi' } },
    });
    expect(JSON.stringify(tool)).toContain('hi');
  });

  it.each(asked)('leave no trace in $tool $args for others', async ({ tool, args }) => {
    const text = await raw('dev-secret', 'tools/call', { name: tool, arguments: args });
    expect(text).toContain('"result"');
    // What was asked is said back, and the text of a playbook that they may read names what it likes, as it may anything.
    const itsOwn =
      /See \[\[break-glass\]\]\.|Dangling references:\\n- break-glass\\n- secret:break-glass|domain:zebra/g;
    expect(text.replaceAll(itsOwn, '')).not.toMatch(HIDDEN);
  });

  it.each(lists)('are in %s for a caller who has it alone', async (method) => {
    expect(await raw('dev-secret', method, {})).not.toMatch(HIDDEN);
  });

  it.each(named)('make %s an unknown id like any other', async (id) => {
    for (const [tool, args] of [
      ['execute', { id }],
      ['get_schema', { ids: [id] }],
    ] as const) {
      const text = await raw('dev-secret', 'tools/call', { name: tool, arguments: args });
      expect(text).toMatch(/There is no entry|no entry/i);
      const [address = id] = id.split('#');
      expect(text.replaceAll(id, '').replaceAll(address, '')).not.toMatch(HIDDEN);
    }
    const reads = [`playbook://${id}`, `playbook://secret:${id}`, `skill://${id}/SKILL.md`, `skill://secret/${id}`];
    for (const uri of reads) {
      expect(await raw('dev-secret', 'resources/read', { uri })).toContain('"error"');
    }
    expect(await raw('dev-secret', 'prompts/get', { name: id })).toContain('"error"');
    expect(await raw('dev-secret', 'prompts/get', { name: 'review_playbook', arguments: { id } })).toContain('"error"');
  });

  it.each(['sre-secret', 'dev-secret'])(
    'leave no tag in the instructions, which are the same for all: %s',
    async (token) => {
      const first = await startHttp({ args: ['--no-starter', '--config', config], env: { PLAYBOOK_MCP_HOME: home } });
      await expect.poll(async () => (await fetch(first.at('/readyz'))).status).toBe(200);
      await first.stop();
      const second = await startHttp({ args: ['--no-starter', '--config', config], env: { PLAYBOOK_MCP_HOME: home } });
      const discover = async (): Promise<string> =>
        (await fetch(second.url, modernRequest('server/discover', {}, { token }))).text();
      await expect.poll(discover).toContain('Most used tags: domain:ship.');
      expect(await discover()).not.toMatch(HIDDEN);
      expect(await discover()).not.toContain('playbooks__propose');
    },
  );

  it('are not completed for others', async () => {
    const ref = { type: 'ref/resource', uri: 'playbook://{+id}' };
    const complete = (token: string) =>
      raw(token, 'completion/complete', { ref, argument: { name: 'id', value: 'break' } });
    expect(await complete('sre-secret')).toContain('break-glass');
    expect(await complete('dev-secret')).not.toContain('break-glass');
  });

  it('tell nothing of their changes to others who subscribe to what they guess', async () => {
    const { writeFileSync } = await import('node:fs');
    const told: string[] = [];
    const listen = async (token: string): Promise<void> => {
      const client = await modernClient((await product).url, { token });
      client.setNotificationHandler(
        'notifications/resources/updated',
        ({ params }) => void told.push(`${token} ${params.uri}`),
      );
      await client.listen({ resourceSubscriptions: ['playbook://break-glass', 'playbook://deploy'] });
    };
    await listen('dev-secret');
    await listen('sre-secret');
    writeFileSync(`${secret}/break-glass.md`, '---\ndescription: Break the glass anew.\n---\nThe code.\n');
    await expect.poll(() => told, { timeout: 10_000 }).toContain('sre-secret playbook://break-glass');
    writeFileSync(`${open}/deploy.md`, '---\ndescription: Deploy anew.\n---\nOther.\n');
    await expect.poll(() => told, { timeout: 10_000 }).toContain('dev-secret playbook://deploy');
    expect(told).not.toContain('dev-secret playbook://break-glass');
  });
});
