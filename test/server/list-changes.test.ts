import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { text } from '../seed.ts';
import { until } from '../tools/harness.ts';
import { configFile, connectLegacy, connectModern, seedFolder } from './product.ts';

function stage() {
  const central = seedFolder({
    'deploy.md': text('Deploy.', 'One.'),
    'skill/SKILL.md': `---\nname: skill\ndescription: A skill.\n---\n[a](references/a.md)\n`,
    'skill/references/a.md': 'One.',
  });
  const cwd = seedFolder({ '.git/HEAD': '', '.playbooks/mine.md': text('Mine.', 'One.') });
  return { central, cwd, args: ['--no-starter', '--playbooks', central] };
}

/** What a client was told: `resources`, `prompts`, or the URI of what reads otherwise. */
type Told = string[];

async function listenModern(at: ReturnType<typeof stage>, uris: readonly string[]) {
  const { client, call } = await connectModern(at);
  const told: Told = [];
  client.setNotificationHandler('notifications/resources/list_changed', () => void told.push('resources'));
  client.setNotificationHandler('notifications/prompts/list_changed', () => void told.push('prompts'));
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri));
  const filter = {
    resourcesListChanged: true,
    promptsListChanged: true,
    ...(uris.length > 0 && { resourceSubscriptions: [...uris] }),
  };
  const subscription = await client.listen(filter);
  expect(subscription.honoredFilter).toEqual(filter);
  return { call, told, stop: () => subscription.close() };
}

async function listenLegacy(at: ReturnType<typeof stage>, uris: readonly string[]) {
  const { client, call } = await connectLegacy(at);
  const told: Told = [];
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void told.push('resources'));
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => void told.push('prompts'));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void told.push(params.uri));
  for (const uri of uris) await client.subscribeResource({ uri });
  const stop = async (): Promise<void> => {
    for (const uri of uris) await client.unsubscribeResource({ uri });
  };
  return { call, told, stop };
}

describe.each([
  { era: '2026-07-28', listen: listenModern },
  { era: '2025', listen: listenLegacy },
])('a client of the $era era', ({ listen }) => {
  it('is told of an edit while it is subscribed, and of what comes and goes', async () => {
    const at = stage();
    const watched = ['playbook://deploy', 'skill://workspace/none/SKILL.md', 'playbook://mine'];
    const { call, told, stop } = await listen(at, watched);
    // From the first call on there is something that can be followed.
    await call('search', { query: 'deploy' });
    await delay(500);
    expect(told).toEqual([]);

    // What is listed of a playbook stays as it is: only who reads it is told.
    writeFileSync(join(at.central, 'deploy.md'), text('Deploy.', 'Two.'));
    await until(() => told.length > 0);
    expect(told.splice(0)).toEqual(['playbook://deploy']);

    writeFileSync(join(at.central, 'deploy.md'), text('Deploy it.', 'Two.'));
    await until(() => told.length >= 3);
    expect(told.splice(0).sort()).toEqual(['playbook://deploy', 'prompts', 'resources']);

    // A draft is no prompt.
    writeFileSync(join(at.cwd, '.playbooks', 'idea.md'), text('An idea.', 'Idea.', 'status: draft'));
    await until(() => told.length > 0);
    expect(told.splice(0)).toEqual(['resources']);

    rmSync(join(at.cwd, '.playbooks', 'mine.md'));
    await until(() => told.length >= 3);
    expect(told.splice(0).sort()).toEqual(['playbook://mine', 'prompts', 'resources']);

    await stop();
    writeFileSync(join(at.central, 'deploy.md'), text('Deploy it.', 'Three.'));
    await until(async () => JSON.stringify(await call('execute', { id: 'deploy' })).includes('Three.'));
    await delay(500);
    expect(told).toEqual([]);
  });

  it('is told of an edit of a supporting file, and by the spelling of a URI that it subscribed with', async () => {
    const at = stage();
    writeFileSync(join(at.cwd, '.playbooks', 'deploy.md'), text('Deploy, here.', 'One.'));
    const watched = ['playbook://skill/references/a.md', 'playbook://workspace:deploy'];
    const { call, told } = await listen(at, watched);
    await call('search', { query: 'deploy' });
    await delay(500);
    writeFileSync(join(at.central, 'skill', 'references', 'a.md'), 'Two.');
    await until(() => told.length > 0);
    expect(told.splice(0)).toEqual(['playbook://skill/references/a.md']);
    writeFileSync(join(at.cwd, '.playbooks', 'deploy.md'), text('Deploy, here.', 'Two.'));
    await until(() => told.length > 0);
    expect(told.splice(0)).toEqual(['playbook://workspace:deploy']);
  });

  it('is told when the configuration brings other playbooks, and not when it brings tools', async () => {
    const at = stage();
    const config = configFile({});
    const { call, told } = await listen({ ...at, args: [...at.args, '--config', config] }, []);
    await call('search', { query: 'deploy' });
    const command = { description: 'Says hello', command: ['echo', 'hello'] };
    writeFileSync(config, JSON.stringify({ commands: { hello: command } }));
    await until(async () => JSON.stringify(await call('search', { query: 'says hello' })).includes('hello · tool'));
    await delay(300);
    expect(told).toEqual([]);
    const more = seedFolder({ 'more.md': text('More.') });
    writeFileSync(config, JSON.stringify({ sources: [{ name: 'more', path: more }] }));
    await until(() => told.length >= 2);
    expect(told.sort()).toEqual(['prompts', 'resources']);
  });
});

describe('resources/subscribe', () => {
  it('is refused for what is not followed', async () => {
    const { client } = await connectLegacy(stage());
    await expect(client.subscribeResource({ uri: 'note://one' })).rejects.toMatchObject({ code: -32602 });
  });
});

it('serves on where the workspace’s folder goes while changes are followed', async () => {
  const at = stage();
  const { call } = await listenModern(at, []);
  await call('search', { query: 'deploy' });
  rmSync(at.cwd, { recursive: true });
  await delay(200);
  mkdirSync(join(at.central, 'x'));
  writeFileSync(join(at.central, 'x', 'new.md'), text('New of the organisation.'));
  await until(async () =>
    JSON.stringify(await call('search', { query: 'new of the organisation', workspace: at.central })).includes('x/new'),
  );
  const { content } = await call('execute', { id: 'x/new', workspace: at.central });
  expect(JSON.stringify(content)).toContain('Body.');
});
