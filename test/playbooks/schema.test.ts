import { describe, expect, it } from 'vitest';

import { fields, findings } from './parse-text.ts';

describe('tags', () => {
  it.each([
    { name: 'a list', yaml: 'tags: [b, " a ", b]', tags: ['b', 'a'] },
    { name: 'a comma text', yaml: 'tags: domain:build, ci,, ', tags: ['domain:build', 'ci'] },
    { name: 'a list of metadata', yaml: 'metadata: {tags: [a, 1.0]}', tags: ['a', '1.0'] },
    {
      name: 'domain and action keys',
      yaml: 'domain: build\naction: [cache, action:test]',
      tags: ['domain:build', 'action:cache', 'action:test'],
    },
    {
      name: 'all of them, each once',
      yaml: 'tags: [domain:a]\nmetadata:\n  tags: b, domain:a\ndomain: a',
      tags: ['domain:a', 'b'],
    },
    { name: 'none where there is no value', yaml: 'tags:', tags: [] },
  ])('come from $name', ({ yaml, tags }) => {
    expect(fields(yaml).tags).toEqual(tags);
    expect(findings(`---\ndescription: x\n${yaml}\n---\n`)).toEqual([]);
  });
});

describe('parameters', () => {
  it('are read in our form, choices and defaults by their type', () => {
    const yaml = `parameters:
  - {name: flag, type: string, description: key, required: true, pattern: "^[a-z]+$"}
  - {name: keep, enum: [treatment, control, 1.0], default: 1.0}
  - {name: count, type: integer, enum: [1, 2], default: 2}
  - {name: share, type: number, default: .5}
  - {name: dry, type: boolean, default: yes}
  - {name: paths, type: array, default: "a, b"}
  - {name: hosts, type: array, enum: [x, y], default: [x]}
  - short`;
    expect(fields(yaml).parameters).toEqual([
      { name: 'flag', type: 'string', description: 'key', isRequired: true, pattern: '^[a-z]+$' },
      { name: 'keep', type: 'string', isRequired: false, enum: ['treatment', 'control', '1.0'], default: '1.0' },
      { name: 'count', type: 'integer', isRequired: false, enum: [1, 2], default: 2 },
      { name: 'share', type: 'number', isRequired: false, default: 0.5 },
      { name: 'dry', type: 'boolean', isRequired: false, default: true },
      { name: 'paths', type: 'array', isRequired: false, default: ['a', 'b'] },
      { name: 'hosts', type: 'array', isRequired: false, enum: ['x', 'y'], default: ['x'] },
      { name: 'short', type: 'string', isRequired: false },
    ]);
  });

  it("are read in goose's form", () => {
    const yaml = `parameters:
  - {key: repo, input_type: string, requirement: required, description: where}
  - {key: since, input_type: date, requirement: optional, default: 2026-01-01}
  - {key: team, input_type: select, options: [web, core], requirement: user_prompt}
  - {key: depth, input_type: number, requirement: user_prompt, default: 3}`;
    expect(fields(yaml).parameters).toEqual([
      { name: 'repo', type: 'string', description: 'where', isRequired: true },
      { name: 'since', type: 'string', isRequired: false, default: '2026-01-01' },
      { name: 'team', type: 'string', isRequired: true, enum: ['web', 'core'] },
      { name: 'depth', type: 'number', isRequired: false, default: 3 },
    ]);
  });

  it("are read from OpenHands' inputs, which are asked for unless they have a default", () => {
    const yaml = `inputs:
  - name: PR_URL
    description: URL of the pull request
    validation: {pattern: "^https://"}
  - name: BRANCH
    default: main`;
    expect(fields(yaml).parameters).toEqual([
      {
        name: 'PR_URL',
        type: 'string',
        description: 'URL of the pull request',
        isRequired: true,
        pattern: '^https://',
      },
      { name: 'BRANCH', type: 'string', isRequired: false, default: 'main' },
    ]);
  });

  it.each([
    { name: 'names in one text', yaml: 'arguments: issue branch', names: ['issue', 'branch'] },
    { name: 'a list of names', yaml: 'arguments: [issue-id, branch]', names: ['issue-id', 'branch'] },
    { name: 'a list of objects', yaml: 'arguments:\n  - name: issue\n    required: true', names: ['issue'] },
    { name: 'only a hint', yaml: 'argument-hint: <issue>', names: ['ARGUMENTS'] },
    { name: 'a hint in brackets', yaml: 'argument-hint: [issue]', names: ['ARGUMENTS'] },
    { name: 'our parameters beside a hint', yaml: 'argument-hint: "[a]"\nparameters: [a]', names: ['a'] },
  ])("are read from Claude Code's arguments: $name", ({ yaml, names }) => {
    const playbook = fields(yaml);
    expect(playbook.hasShellStyleArguments).toBe(true);
    expect(playbook.parameters.map(({ name }) => name)).toEqual(names);
  });

  it('say nothing about `$` where no arguments are declared', () => {
    expect(fields('parameters: [a]').hasShellStyleArguments).toBe(false);
  });
});

describe('the other fields', () => {
  it('are read as lists or single texts', () => {
    const playbook = fields(
      'references: run-tests, a/b\ntools: [x__y, x__y]\nowner: growth\nexamples: clean up, please\ntriggers: [flaky, 404]',
    );
    expect(playbook).toMatchObject({
      references: ['run-tests', 'a/b'],
      tools: ['x__y'],
      owner: 'growth',
      examples: ['clean up, please', 'flaky', '404'],
    });
  });

  it.each(['not-examples', 'notExamples', 'counter-examples'])('are counter-examples under `%s`', (key) => {
    expect(fields(`${key}: [a, "b, c"]`).notExamples).toEqual(['a', 'b, c']);
  });

  it.each([
    { name: 'nothing', yaml: '', status: 'active', deprecation: undefined },
    { name: 'a status', yaml: 'status: Draft', status: 'draft', deprecation: undefined },
    {
      name: 'a deprecation',
      yaml: 'deprecated: {since: 2026-06-01, reason: old, replacedBy: new-way}',
      status: 'deprecated',
      deprecation: { since: '2026-06-01', reason: 'old', replacedBy: 'new-way' },
    },
    { name: 'a bare deprecation', yaml: 'deprecated: true', status: 'deprecated', deprecation: {} },
    { name: 'a reason', yaml: 'deprecated: use x', status: 'deprecated', deprecation: { reason: 'use x' } },
    { name: 'no deprecation', yaml: 'deprecated: false', status: 'active', deprecation: undefined },
    {
      name: 'both',
      yaml: 'status: retired\ndeprecated: {replacedBy: x}',
      status: 'retired',
      deprecation: { replacedBy: 'x' },
    },
  ])('give the status from $name', ({ yaml, status, deprecation }) => {
    const playbook = fields(yaml);
    expect(playbook.status).toBe(status);
    expect(playbook.deprecation).toEqual(deprecation);
  });
});

describe('a field of the wrong form', () => {
  it.each([
    { name: 'parameters that are a number', yaml: 'parameters: 5', at: '3:13', left: { parameters: [] } },
    { name: 'parameters that are a map', yaml: 'parameters: {a: {}}', at: '3:13', left: { parameters: [] } },
    { name: 'an unknown status', yaml: 'status: sleeping', at: '3:9', left: { status: 'active' } },
    {
      name: 'a parameter of an unknown type',
      yaml: 'parameters:\n  - name: a\n    type: uuid\n    required: true',
      at: '5:11',
      left: { parameters: [{ name: 'a', type: 'string', isRequired: true }] },
    },
    {
      name: 'a parameter without a name',
      yaml: 'parameters:\n  - type: string\n  - name: b',
      at: '4:5',
      left: { parameters: [{ name: 'b' }] },
    },
    {
      name: 'a parameter that would change a prototype',
      yaml: 'parameters: [__proto__, b]',
      at: '3:14',
      left: { parameters: [{ name: 'b' }] },
    },
    {
      name: 'a parameter that stands twice',
      yaml: 'parameters: [a, b, a]',
      at: '3:20',
      left: { parameters: [{ name: 'a' }, { name: 'b' }] },
    },
    {
      name: 'a default of another type',
      yaml: 'parameters: [{name: n, type: integer, default: many}]',
      at: '3:48',
      left: { parameters: [{ name: 'n', type: 'integer' }] },
    },
    {
      name: 'a default that is no choice',
      yaml: 'parameters: [{name: n, enum: [a, b], default: c}]',
      at: '3:47',
      left: { parameters: [{ enum: ['a', 'b'] }] },
    },
    {
      name: 'a choice of another type',
      yaml: 'parameters: [{name: n, type: integer, enum: [1, b]}]',
      at: '3:49',
      left: { parameters: [{ enum: [1] }] },
    },
    {
      name: 'a pattern that is none',
      yaml: 'parameters: [{name: n, pattern: "("}]',
      at: '3:33',
      left: { parameters: [{ name: 'n' }] },
    },
    { name: 'a name that is a list', yaml: 'name: [a]', at: '3:7', left: { name: 'rollback' } },
    { name: 'a blank name', yaml: 'name: ""', at: '3:7', left: { name: 'rollback' } },
    { name: 'an example that is a map', yaml: 'examples: [a, {b: c}, d]', at: '3:15', left: { examples: ['a', 'd'] } },
  ])('costs no more than itself: $name', ({ yaml, at, left }) => {
    expect(fields(yaml)).toMatchObject(left);
    expect(findings(`---\ndescription: x\n${yaml}\n---\n`)).toEqual([`bad-field ${at}`]);
  });

  it('is named with its place for every fault, also those that show only when others are gone', () => {
    const yaml = 'tags: [~, a, ~]\nparameters:\n  - {type: x}\n  - {name: n, type: integer, default: b}\nstatus: s';
    expect(findings(`---\ndescription: x\n${yaml}\n---\n`)).toEqual([
      'bad-field 3:8',
      'bad-field 3:14',
      'bad-field 5:5',
      'bad-field 5:12',
      'bad-field 6:39',
      'bad-field 7:9',
    ]);
    expect(fields(yaml)).toMatchObject({ tags: ['a'], parameters: [{ name: 'n', type: 'integer' }], status: 'active' });
  });
});
