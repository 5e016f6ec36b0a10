import { describe, expect, it } from 'vitest';
import { defaultConfig, mergeConfig, type UpstreamConfig } from '../../src/config/index.ts';

function upstream(name: string, command: string): UpstreamConfig {
  return { name, transport: 'stdio', command, args: [], env: {}, tags: [], allow: ['*'], deny: [], timeoutMs: 1000 };
}

describe('mergeConfig', () => {
  it('gives the defaults where nothing is laid over them', () => {
    expect(mergeConfig(defaultConfig)).toEqual(defaultConfig);
    expect(mergeConfig(defaultConfig, {}, {})).toEqual(defaultConfig);
  });

  it('lets the later win per key of a section', () => {
    const merged = mergeConfig(
      defaultConfig,
      { usage: { store: 'off', queries: 'hash' } },
      { usage: { queries: 'off' } },
    );
    expect(merged.usage).toEqual({ store: 'off', queries: 'off', retentionDays: 400 });
  });

  it('lets the later win per name of a server, in the place of the earlier', () => {
    const merged = mergeConfig(
      defaultConfig,
      { upstreams: [upstream('a', 'one'), upstream('b', 'two')] },
      { upstreams: [upstream('c', 'three'), upstream('a', 'four')] },
    );
    expect(
      merged.upstreams.map((server) => server.transport === 'stdio' && `${server.name} ${server.command}`),
    ).toEqual(['a four', 'b two', 'c three']);
  });

  it('lets the later win per synonym, rule and retired entry', () => {
    const merged = mergeConfig(
      defaultConfig,
      {
        search: {
          learn: false,
          synonyms: new Map([
            ['a', ['b']],
            ['c', ['d']],
          ]),
        },
        lint: { rules: new Map([['x', 'off']]) },
      },
      {
        search: { synonyms: new Map([['a', ['z']]]) },
        lint: { rules: new Map([['y', 'info']]) },
        retired: new Map([['t', {}]]),
      },
    );
    expect(merged.search).toEqual({
      learn: false,
      synonyms: new Map([
        ['a', ['z']],
        ['c', ['d']],
      ]),
    });
    expect(merged.lint.rules).toEqual(
      new Map([
        ['x', 'off'],
        ['y', 'info'],
      ]),
    );
    expect(merged.retired).toEqual(new Map([['t', {}]]));
  });

  it('replaces a list whole', () => {
    const merged = mergeConfig(
      defaultConfig,
      { workspace: { folders: ['docs'] } },
      { tagRules: [{ match: '*', tags: ['x'] }] },
    );
    expect(merged.workspace).toEqual({ folders: ['docs'], policy: 'all' });
    expect(merged.tagRules).toEqual([{ match: '*', tags: ['x'] }]);
  });
});
