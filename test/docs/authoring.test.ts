import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findLinks } from '../../src/playbooks/links.ts';
import { renderPlaybook } from '../../src/playbooks/render.ts';
import { playbookJsonSchema } from '../../src/playbooks/schema.ts';
import { diagnosticsOf, parseText, playbookOf } from '../playbooks/parse-text.ts';
import { runCli } from '../cli/run-cli.ts';

const guide = readFileSync(new URL('../../docs/authoring.md', import.meta.url), 'utf8');
const examples = [...guide.matchAll(/^```markdown\n(---\n[\s\S]*?\n)```$/gm)].map(([, text = '']) => text);
const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(playbookJsonSchema());

describe('the authoring guide', () => {
  it.each(examples.map((text) => ({ name: /description: (.*)/.exec(text)?.[1] ?? '', text })))(
    'has an example that is a playbook without a finding: $name',
    ({ text }) => {
      const outcome = parseText(text);
      expect({ kind: outcome.kind, diagnostics: diagnosticsOf(outcome) }).toEqual({
        kind: 'playbook',
        diagnostics: [],
      });
      expect(validate(parse(text.split('---\n')[1] ?? ''))).toBe(true);
    },
  );

  it('shows what is replaced and what is not', () => {
    const playbook = playbookOf(examples.find((text) => text.includes('Not replaced')) ?? '');
    expect(renderPlaybook(playbook, { service: 'shop' })).toBe(
      'Deploy shop to eu, us.\n\nNot replaced: {{other}}, ${{ github.sha }}, {{{service}}}, {{ .Values.image }}.\n',
    );
  });

  it('shows the four forms of a reference', () => {
    const playbook = playbookOf(examples.find((text) => text.includes('[[release')) ?? '');
    expect([...playbook.references, ...findLinks(playbook)]).toHaveLength(4);
  });

  it('names every field that is read', () => {
    const keys = Object.keys((playbookJsonSchema() as { properties: object }).properties);
    expect(keys.filter((key) => !guide.includes(`\`${key}`))).toEqual([]);
  });

  it('names only commands and flags that there are', () => {
    for (const command of ['init', 'new', 'eval']) {
      const row = guide
        .split('\n')
        .filter((line) => line.startsWith(`| \`playbook-mcp ${command} `))
        .join('\n');
      const help = runCli([command, '--help']).stdout;
      expect(row).not.toBe('');
      for (const [flag] of row.matchAll(/--[a-z-]+/g)) expect(help).toContain(flag);
    }
  });
});
