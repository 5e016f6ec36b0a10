import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { playbookJsonSchema } from '../../src/playbooks/schema.ts';

const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(playbookJsonSchema());
const starter = fileURLToPath(new URL('../../playbooks', import.meta.url));

describe('the JSON Schema of front matter', () => {
  it('accepts every starter playbook', () => {
    const files = readdirSync(starter, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'));
    const refused = files.filter((path) => {
      const [, frontMatter] = /^---\n([\s\S]*?)\n---\n/.exec(readFileSync(join(starter, path), 'utf8')) ?? [];
      return frontMatter !== undefined && !validate(parse(frontMatter));
    });
    expect(files.length).toBeGreaterThan(50);
    expect(refused).toEqual([]);
  });

  it.each([
    { name: 'texts for lists, numbers for texts', yaml: 'tags: a, b\nname: 404\nexamples: one', isValid: true },
    {
      name: 'parameters by their names',
      yaml: 'parameters: [a, {name: b, required: true, default: 3}]',
      isValid: true,
    },
    { name: "goose's and Claude Code's forms", yaml: 'inputs: [{key: a}]\nargument-hint: [issue]', isValid: true },
    { name: 'unknown keys', yaml: 'license: MIT\nmetadata: text\nx: {y: z}', isValid: true },
    { name: 'a deprecation of each form', yaml: 'deprecated: true', isValid: true },
    { name: 'an unknown status', yaml: 'status: actve', isValid: false },
    { name: 'an unknown type', yaml: 'parameters: [{name: a, type: strng}]', isValid: false },
    { name: 'a map for examples', yaml: 'examples: {a: b}', isValid: false },
  ])('judges $name', ({ yaml, isValid }) => {
    expect(validate(parse(`description: x\n${yaml}`))).toBe(isValid);
  });

  it('asks for a description', () => {
    expect(validate({ name: 'x' })).toBe(false);
  });
});
