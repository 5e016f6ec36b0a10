import * as fc from 'fast-check';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  configJsonSchema,
  defaultConfig,
  mergeConfig,
  parseConfig,
  type ParsedConfig,
} from '../../src/config/index.ts';
import { messageOf, PlaybookError } from '../../src/errors.ts';

const path = resolve('/etc/pb/config.json');
const env = { TOKEN: 'secret' };

function parse(text: string, scope: 'user' | 'workspace' = 'user'): ParsedConfig {
  return parseConfig(text, path, { env, homeDirectory: resolve('/home/a'), scope });
}

/** `line:column rule` of each diagnostic. */
function placesOf({ diagnostics }: ParsedConfig): readonly string[] {
  return diagnostics.map(({ line, column, rule }) => `${line}:${column} ${rule}`);
}

function outcomeOf(text: string): string {
  try {
    parse(text);
    return 'parsed';
  } catch (error) {
    return error instanceof PlaybookError ? error.code : messageOf(error);
  }
}

describe('a configuration', () => {
  it('may hold every key of the documentation', () => {
    const { config, diagnostics } = parse(`\uFEFF{
  "$schema": "./config.schema.json",
  "sources": [
    { "name": "platform", "path": "~/company/playbooks" },
    { "name": "org", "git": "https://git.example.com/org/playbooks.git", "ref": "main", "path": "playbooks", "refreshMinutes": 5 },
  ],
  "starter": false, // a comment
  "workspace": { "folders": ["docs"], "policy": "trusted" },
  "mcpServers": { "wiki": { "url": "https://wiki.example.com/mcp" } },
  "commands": { "disk_usage": { "description": "Size of a directory", "command": ["du", "-sh", "{path}"], "readOnly": true,
    "parameters": [{ "name": "path", "required": true }], "cwd": "work" } },
  "tagRules": [{ "match": "*__delete_*", "tags": ["action:delete"] }],
  "retired": { "github__old": { "replacedBy": "github__new", "reason": "unused" } },
  "code": { "roots": ["~/src", "../code"] },
  "limits": { "resultTokens": 9000 },
  "usage": { "store": "postgres://db/usage", "queries": "hash", "retentionDays": 30 },
  "http": { "tokens": ["\${TOKEN}"], "issuer": "https://login.example.com", "audience": "playbooks" },
  "lint": { "rules": { "long-body": "warning" } },
  "search": { "learn": false, "synonyms": { "k8s": ["kubernetes"] } },
  "review": { "unusedDays": 10, },
}`);
    expect(diagnostics).toEqual([]);
    expect(mergeConfig(defaultConfig, config)).toEqual({
      sources: [
        {
          kind: 'directory',
          name: 'platform',
          path: resolve('/home/a/company/playbooks'),
          at: { path, line: 4, column: 5 },
        },
        {
          kind: 'git',
          name: 'org',
          git: 'https://git.example.com/org/playbooks.git',
          ref: 'main',
          path: 'playbooks',
          refreshMinutes: 5,
          at: { path, line: 5, column: 5 },
        },
      ],
      starter: false,
      workspace: { folders: ['docs'], policy: 'trusted' },
      upstreams: [
        {
          name: 'wiki',
          transport: 'http',
          url: 'https://wiki.example.com/mcp',
          headers: {},
          tags: [],
          allow: ['*'],
          deny: [],
          timeoutMs: 60_000,
        },
      ],
      commands: [
        {
          name: 'disk_usage',
          description: 'Size of a directory',
          command: ['du', '-sh', '{path}'],
          parameters: [{ name: 'path', type: 'string', isRequired: true }],
          cwd: resolve('/etc/pb/work'),
          timeoutMs: 60_000,
          readOnly: true,
          tags: [],
          at: { path, line: 10, column: 17 },
        },
      ],
      tagRules: [{ match: '*__delete_*', tags: ['action:delete'] }],
      retired: new Map([['github__old', { replacedBy: 'github__new', reason: 'unused' }]]),
      code: { roots: [resolve('/home/a/src'), resolve('/etc/code')] },
      limits: { ...defaultConfig.limits, resultTokens: 9000 },
      usage: { store: 'postgres://db/usage', queries: 'hash', retentionDays: 30 },
      http: {
        ...defaultConfig.http,
        tokens: ['secret'],
        issuer: 'https://login.example.com',
        audience: 'playbooks',
        isGuarded: true,
      },
      lint: { rules: new Map([['long-body', 'warning']]) },
      search: { learn: false, synonyms: new Map([['k8s', ['kubernetes']]]) },
      review: { ...defaultConfig.review, unusedDays: 10 },
    });
  });

  it('may be empty', () => {
    expect(parse('{}')).toEqual({ config: {}, diagnostics: [] });
  });

  it.each([
    { name: 'a missing comma', text: '{\n  "a": 1\n  "b": 2\n}', place: '3:3', what: 'comma expected' },
    { name: 'an open brace', text: '{ "starter": true', place: '1:18', what: 'close brace expected' },
    { name: 'a bare word after CRLF', text: '{\r\n  "starter": yes\r\n}', place: '2:14', what: 'invalid symbol' },
    { name: 'prose', text: 'starter = true', place: '1:1', what: 'invalid symbol' },
    { name: 'no text', text: '', place: '1:1', what: 'value expected' },
    { name: 'a list', text: '\n []', place: '2:2', what: 'expected one object' },
    { name: 'endless nesting', text: '['.repeat(200_000), place: '1:1', what: 'nested too deeply' },
  ])('that is not JSON for $name fails with the position', ({ text, place, what }) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({
        code: 'config/not-json',
        message: expect.stringContaining(`${path}:${place}: not JSON: ${what}`),
      }),
    );
  });

  it('that is any text whatever throws nothing but config/not-json', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.json(),
      fc.json().map((json) => `{"mcpServers": ${json}, "sources": ${json}, "http": ${json}}`),
    );
    fc.assert(
      fc.property(anything, (text) => {
        expect(['parsed', 'config/not-json']).toContain(outcomeOf(text));
      }),
    );
  });
});

describe('a bad entry', () => {
  const rows: readonly { name: string; text: string; places: readonly string[]; message: string; hint?: string }[] = [
    {
      name: 'of a wrong type',
      text: '{\n  "starter": "yes"\n}',
      places: ['2:14 config-bad-entry'],
      message: '`starter`: expected boolean, received string; it is off.',
    },
    {
      name: 'out of a section',
      text: '{ "limits": { "resultTokens": 1 } }',
      places: ['1:31 config-bad-entry'],
      message: '`limits.resultTokens`',
    },
    {
      name: 'that is a whole section',
      text: '{ "usage": [] }',
      places: ['1:12 config-bad-entry'],
      message: '`usage`: expected object, received array; it is off.',
    },
    {
      name: 'of a choice',
      text: '{ "workspace": { "policy": "some" } }',
      places: ['1:28 config-bad-entry'],
      message: 'expected one of "all"|"trusted"|"none"',
    },
    {
      name: 'of a store',
      text: '{ "usage": { "store": "mysql://x" } }',
      places: ['1:23 config-bad-entry'],
      message: 'postgres://',
    },
    {
      name: 'of a source without a place',
      text: '{ "sources": [{ "name": "a" }] }',
      places: ['1:15 config-bad-entry'],
      message: '`sources[0]`: expected `path` or `git`',
    },
    {
      name: 'of a source with a name of ours',
      text: '{ "sources": [{ "name": "user", "path": "a" }] }',
      places: ['1:25 config-bad-entry'],
      message: 'built-in source',
    },
    {
      name: 'of a source with a colon in its name',
      text: '{ "sources": [{ "name": "a:b", "path": "a" }] }',
      places: ['1:25 config-bad-entry'],
      message: 'letters, digits',
    },
    {
      name: 'of a server without a way to it',
      text: '{ "mcpServers": { "a": {} } }',
      places: ['1:24 config-bad-entry'],
      message: '`mcpServers.a`: expected either `command` or `url`; it is off.',
    },
    {
      name: 'of a server with two ways',
      text: '{ "mcpServers": { "a": { "command": "a", "url": "http://x" } } }',
      places: ['1:24 config-bad-entry'],
      message: 'either',
    },
    {
      name: 'of a server whose type does not fit',
      text: '{ "mcpServers": { "a": { "type": "sse", "command": "a" } } }',
      places: ['1:24 config-bad-entry'],
      message: '`stdio`',
    },
    {
      name: 'of a server with a missing variable',
      text: '{ "servers": { "a": { "command": "a", "args": ["x", "${NONE}"] } } }',
      places: ['1:53 config-bad-entry'],
      message: '`servers.a.args[1]`: NONE is not set; `servers.a` is off.',
    },
    {
      name: 'of a command without a program',
      text: '{ "commands": { "a": { "description": "x", "command": [] } } }',
      places: ['1:55 config-bad-entry'],
      message: '`commands.a.command`',
    },
    {
      name: 'of a rule',
      text: '{ "lint": { "rules": { "a": "warn" } } }',
      places: ['1:29 config-bad-entry'],
      message: '`lint.rules.a`',
    },
    {
      name: 'that means nothing',
      text: '{\n\t"mcpServer": {}\n}',
      places: ['2:2 config-unknown-key'],
      message: '`mcpServer` means nothing',
      hint: '`mcpServers`',
    },
    {
      name: 'that means nothing inside a server',
      text: '{ "mcpServers": { "a": { "command": "a", "timeoutMS": 1 } } }',
      places: ['1:42 config-unknown-key'],
      message: '`mcpServers.a.timeoutMS`',
      hint: '`timeoutMs`',
    },
    {
      name: 'that means nothing inside a list',
      text: '{ "tagRules": [{ "match": "*", "tags": [], "tag": 1 }] }',
      places: ['1:44 config-unknown-key'],
      message: '`tagRules[0].tag`',
      hint: '`tags`',
    },
    {
      name: 'that is written twice',
      text: '{ "starter": true,\n  "starter": false }',
      places: ['1:3 config-duplicate-key'],
      message: 'only the last one counts',
    },
    {
      name: 'with the name of another source',
      text: '{ "sources": [{ "name": "a", "path": "x" }, { "name": "a", "path": "y" }] }',
      places: ['1:45 config-duplicate-name'],
      message: '`a`',
    },
    {
      name: 'with the name of another server',
      text: '{ "mcpServers": { "a": { "command": "a" } }, "servers": { "a": { "command": "b" } } }',
      places: ['1:59 config-duplicate-name'],
      message: '`a`',
    },
  ];
  it.each(rows)('$name is named with its place', ({ text, places, message, hint = '' }) => {
    const parsed = parse(text);
    expect(placesOf(parsed)).toEqual(places);
    expect(parsed.diagnostics[0]).toMatchObject({ path, message: expect.stringContaining(message) });
    expect(parsed.diagnostics[0]?.hint ?? '').toContain(hint);
  });

  it('is off alone: everything else counts', () => {
    const parsed = parse(`{
  "starter": "yes",
  "sources": [{ "name": 1 }, { "name": "good", "path": "/good" }, { "name": "no-place" }],
  "mcpServers": {
    "bad": { "command": ["a"] },
    "good": { "command": "a", "tiemoutMs": 5 },
    "unset": { "url": "https://\${NONE}/mcp" }
  },
  "limits": { "resultTokens": -1 },
  "usage": { "queries": "loud", "retentionDays": 7 },
  "http": { "tokens": ["\${NONE}", "b"] },
  "search": { "synonyms": { "a": "b", "c": ["d"] } }
}`);
    expect(placesOf(parsed)).toEqual([
      '2:14 config-bad-entry',
      '3:25 config-bad-entry',
      '3:67 config-bad-entry',
      '5:25 config-bad-entry',
      '6:31 config-unknown-key',
      '7:23 config-bad-entry',
      '9:31 config-bad-entry',
      '10:25 config-bad-entry',
      '11:24 config-bad-entry',
      '12:34 config-bad-entry',
    ]);
    const config = mergeConfig(defaultConfig, parsed.config);
    expect(config.starter).toBe(true);
    expect(config.sources.map(({ name }) => name)).toEqual(['good']);
    expect(config.upstreams).toMatchObject([{ name: 'good', timeoutMs: 60_000 }]);
    expect(config.limits).toEqual(defaultConfig.limits);
    expect(config.usage).toEqual({ ...defaultConfig.usage, retentionDays: 7 });
    expect(config.http.tokens).toEqual(['b']);
    expect(config.search.synonyms).toEqual(new Map([['c', ['d']]]));
  });

  it('keeps the index that it has in the text when an earlier one is off', () => {
    const parsed = parse(
      '{ "sources": [{ "name": 1, "path": "x" }, { "name": "a", "path": "y", "pth": 1 }, { "name": "b" }] }',
    );
    expect(parsed.diagnostics.map(({ message }) => /`([^`]*)`/.exec(message)?.[1])).toEqual([
      'sources[0].name',
      'sources[1].pth',
      'sources[2]',
    ]);
  });

  it('called like a part of Object.prototype harms nothing', () => {
    const parsed = parse(
      '{ "__proto__": { "starter": false }, "mcpServers": { "__proto__": { "command": "a" }, "constructor": { "command": "a" } } }',
    );
    expect(parsed.config.starter).toBeUndefined();
    expect(parsed.config.upstreams?.map(({ name }) => name)).toEqual(['constructor']);
    expect(Object.prototype).not.toHaveProperty('starter');
  });
});

describe('the configuration of a repository', () => {
  it('counts only for lint rules and synonyms', () => {
    const parsed = parse(
      '{ "lint": { "rules": { "a": "off" } }, "search": { "learn": false, "synonyms": { "a": ["b"] } }, "commands": {}, "limits": {} }',
      'workspace',
    );
    expect(parsed.config).toEqual({
      lint: { rules: new Map([['a', 'off']]) },
      search: { synonyms: new Map([['a', ['b']]]) },
    });
    expect(placesOf(parsed)).toEqual([
      '1:52 config-not-for-workspace',
      '1:98 config-inert',
      '1:114 config-not-for-workspace',
    ]);
  });
});

describe('the published JSON Schema', () => {
  it('describes every key of the configuration', () => {
    expect(Object.keys(Object(configJsonSchema().properties)).toSorted()).toEqual([
      '$schema',
      'code',
      'commands',
      'http',
      'inputs',
      'limits',
      'lint',
      'mcpServers',
      'retired',
      'review',
      'search',
      'servers',
      'sources',
      'starter',
      'tagRules',
      'usage',
      'workspace',
    ]);
  });
});
