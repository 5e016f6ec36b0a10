import { createHash } from 'node:crypto';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parsePlaybook } from '../../src/playbooks/parse.ts';
import { source } from '../seed.ts';
import { diagnosticsOf, fields, findings, parseText, playbookOf } from './parse-text.ts';

const utf16 = (text: string): Uint8Array => new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le'));

describe('where front matter begins and ends', () => {
  it.each([
    { name: 'trailing blanks after the fences', text: '--- \t\ndescription: x\n---  \nB', body: 'B', bodyLine: 4 },
    { name: 'old Macintosh line ends', text: '---\rdescription: x\r---\rB\rC', body: 'B\nC', bodyLine: 4 },
    {
      name: 'Windows line ends and a byte order mark',
      text: '\uFEFF---\r\ndescription: x\r\n---\r\nB',
      body: 'B',
      bodyLine: 4,
    },
    {
      name: 'a closing fence that only the end of the file gives',
      text: '---\ndescription: x\n',
      body: '',
      bodyLine: 3,
    },
    {
      name: 'a line that only starts with the fence',
      text: '---\ndescription: |\n  ---\n---b: c\n---\nB',
      body: 'B',
      bodyLine: 6,
    },
    {
      name: 'comments and blank lines',
      text: '---\n# note\n\ndescription: x # why\n---\n\nB',
      body: '\nB',
      bodyLine: 6,
    },
  ])('takes $name', ({ text, body, bodyLine }) => {
    expect(playbookOf(text)).toMatchObject({ body, bodyLine });
  });

  it.each([
    { name: 'prose', text: 'Hello\n---\ndescription: x\n---\n' },
    { name: 'a thematic break of four', text: '----\ndescription: x\n----\n' },
    { name: 'a title between dashes', text: '--- my notes ---\n' },
    { name: 'a blank first line', text: '\n---\ndescription: x\n---\n' },
    { name: 'Latin-1 text', text: new Uint8Array([0x63, 0x61, 0x66, 0xe9]) },
  ])('ignores a flat file that begins with $name', ({ text }) => {
    expect(parseText(text)).toEqual({ kind: 'ignored', reason: 'no-front-matter' });
  });

  it.each([
    { name: 'without front matter', text: '# Title' },
    { name: 'that is empty', text: ' \n' },
  ])('warns of a SKILL.md $name', ({ text }) => {
    const outcome = parseText(text, { shape: 'folder' });
    expect(outcome.kind).toBe('unreadable');
    expect(diagnosticsOf(outcome)).toMatchObject([
      { rule: 'no-front-matter', severity: 'warning', line: 1, column: 1 },
    ]);
  });

  it.each(['js', ' js', 'JS', ' javascript', 'coffee', 'json', 'toml', 'yaml', 'constructor', '__proto__'])(
    'refuses the language in `---%s` before anything reads it',
    (language) => {
      expect(findings(`---${language}\ndescription: (globalThis.PWNED = true)\n---\n`)).toEqual([
        'foreign-front-matter 1:1',
      ]);
      expect(Reflect.get(globalThis, 'PWNED')).toBeUndefined();
    },
  );

  it('refuses front matter over 16 KiB, and calls it unclosed where it is', () => {
    const long = `description: x\n${'#'.repeat(16 * 1024)}\n`;
    expect(findings(`---\n${long}---\n`)).toEqual(['front-matter-too-long 1:1']);
    expect(findings(`---\n${long}`)).toEqual(['unclosed-fence 1:1']);
  });
});

describe('what cannot be read', () => {
  it.each([
    { name: 'UTF-16', text: utf16('---\ndescription: x\n---\n'), expected: 'not-utf8 1:1' },
    {
      name: 'a bad byte after a character of three',
      text: bytes('---\nname: 名é', [0xff], '\n---\n'),
      expected: 'not-utf8 2:9',
    },
    {
      name: 'a bad byte in the body, after CRLF',
      text: bytes('---\r\ndescription: x\r\n---\r\nab', [0xe9], '\r\n'),
      expected: 'not-utf8 4:3',
    },
    { name: 'a character cut at the end', text: bytes('---\nname: ', [0xe5, 0x90], ''), expected: 'not-utf8 2:7' },
    { name: 'no description', text: '---\nname: x\n---\n', expected: 'missing-description 1:1' },
    {
      name: 'a blank description',
      text: '---\nname: x\ndescription: "  "\n---\n',
      expected: 'missing-description 3:14',
    },
    {
      name: 'a description without a value',
      text: '---\nname: x\ndescription:\n---\n',
      expected: 'missing-description 3:1',
    },
    {
      name: 'a description that is a list',
      text: '---\ndescription: [a]\n---\n',
      expected: 'missing-description 2:14',
    },
    {
      name: 'a misspelled description',
      text: '---\nname: x\ndescripton: y\n---\n',
      expected: 'missing-description 3:13',
    },
    { name: 'no fields', text: '---\n---\n', expected: 'missing-description 1:1' },
    { name: 'a list instead of fields', text: '---\n- a\n---\n', expected: 'not-a-map 2:1' },
    { name: 'prose between thematic breaks', text: '---\nJust prose.\n---\n', expected: 'not-a-map 2:1' },
    {
      name: 'a key twice, after CRLF and a byte order mark',
      text: '\uFEFF---\r\ndescription: x\r\na:\r\n  b: 1\r\n  b: 2\r\n---\r\n',
      expected: 'duplicate-key 5:3',
    },
    { name: 'a bad escape', text: '---\ndescription: "a\\q"\n---\n', expected: 'broken-yaml 2:16' },
    { name: 'a second document', text: '---\ndescription: a\n--- b\nc: d\n---\n', expected: 'broken-yaml 3:1' },
    { name: 'an unclosed list', text: '---\ntags: [a\ndescription: x\n---\n', expected: 'broken-yaml 3:1' },
    {
      name: 'endless nesting',
      text: `---\na: ${'['.repeat(200)}${']'.repeat(200)}\n---\n`,
      expected: 'too-many-values 1:1',
    },
  ])('says where: $name', ({ text, expected }) => {
    expect(findings(text, { shape: 'folder' })).toEqual([expected]);
  });

  it('keeps the warnings of a file beside what makes it unreadable', () => {
    expect(findings('---\nname: a: b\n---\n')).toEqual(['missing-description 1:1', 'unquoted-colon 2:7']);
  });
});

describe('an unquoted scalar', () => {
  it.each([
    {
      name: 'with an apostrophe',
      yaml: "description: It's used when: it's late",
      expected: "It's used when: it's late",
    },
    {
      name: 'over two lines',
      yaml: 'description: Use when: a\n  deploy: hangs\nname: x',
      expected: 'Use when: a deploy: hangs',
    },
    {
      name: 'with its colon on the second line',
      yaml: 'description: Some words\n  use when: late\nname: x',
      expected: 'Some words use when: late',
    },
    { name: 'that ends in a colon', yaml: 'description: as follows:', expected: 'as follows:' },
    { name: 'with what would be a comment', yaml: 'description: when: late # now', expected: 'when: late # now' },
    { name: 'beside another one', yaml: 'name: a: b\ndescription: c: d', expected: 'c: d' },
  ])('is read $name', ({ yaml, expected }) => {
    expect(playbookOf(`---\n${yaml}\n---\n`).description).toBe(expected);
  });

  it('is quoted in a nested field too, and nothing else changes', () => {
    const { parameters } = fields('parameters:\n  - name: flag\n    description: The key: as is\n  - name: keep');
    expect(parameters).toMatchObject([{ name: 'flag', description: 'The key: as is' }, { name: 'keep' }]);
  });

  it('is not guessed at where quotes are there but wrong', () => {
    expect(findings('---\ndescription: "Use" when: late\n---\n')).toEqual(['broken-yaml 2:14']);
  });

  it('is read in a hint of Claude Code that begins like a list', () => {
    const { parameters } = fields('argument-hint: [issue] [priority]');
    expect(parameters).toEqual([
      { name: 'ARGUMENTS', type: 'string', description: '[issue] [priority]', isRequired: false },
    ]);
    expect(findings('---\ndescription: x\nargument-hint: [a] [b]\n---\n')).toEqual(['unquoted-hint 3:16']);
  });

  it('is read as text where it looks like an alias', () => {
    const text = '---\ndescription: x\nglobs: **/*.ts\nname: *.ts\n---\n';
    expect(playbookOf(text)).toMatchObject({ name: '*.ts', extra: { globs: '**/*.ts' } });
    expect(findings(text)).toEqual(['unknown-alias 3:8', 'unknown-alias 4:7']);
  });
});

describe('what a playbook keeps', () => {
  it('takes the last segment of its id for a name where the file gives none', () => {
    expect(playbookOf('---\ndescription: x\n---\n').name).toBe('rollback');
  });

  it('keeps unknown fields, typed by YAML, and what is only passed on', () => {
    const { extra } = fields('license: MIT\nversion: 1.0\nallowed-tools: Read\nmetadata: {a: [true, null]}\ntags: [a]');
    expect(extra).toEqual({ license: 'MIT', version: 1, 'allowed-tools': 'Read', metadata: { a: [true, null] } });
  });

  it('follows aliases of a sane size', () => {
    expect(fields('tags: &t [a, b]\nx: [*t, *t]').extra).toEqual({
      x: [
        ['a', 'b'],
        ['a', 'b'],
      ],
    });
  });

  it('knows its bytes by their digest', () => {
    const text = '---\r\ndescription: x\r\n---\r\n';
    expect(playbookOf(text).digest).toBe(createHash('sha256').update(text).digest('hex'));
  });

  it('warns of a description over 1,024 characters, counted as people count', () => {
    expect(findings(`---\ndescription: ${'😀'.repeat(1_024)}\n---\n`)).toEqual([]);
    expect(findings(`---\ndescription: ${'a'.repeat(1_025)}\n---\n`)).toEqual(['long-description 2:14']);
  });
});

describe('whatever the bytes', () => {
  const yamlish = fc.string({
    unit: fc.constantFrom(
      ...'-:[]{}&*!|>\'"#%@`,?~\n \t\r\\aé名0'.split(''),
      'name',
      'description: ',
      'tags: ',
      'parameters:\n  - ',
      '\uFEFF',
      '\0',
    ),
    maxLength: 120,
  });

  it('never throws and never shares a prototype', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }),
          yamlish.map((text) => new TextEncoder().encode(text)),
        ),
        (content) => {
          expect(['playbook', 'ignored', 'unreadable']).toContain(parseText(content).kind);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('gives each front matter an answer with places inside the file', () => {
    fc.assert(
      fc.property(yamlish, fc.constantFrom('\n', '\r\n'), (yaml, lineEnd) => {
        const text = ['---', 'description: x', yaml, '---', 'Body'].join(lineEnd);
        const lines = text.replace(/\r\n?/g, '\n').split('\n');
        for (const { line, column } of diagnosticsOf(parseText(text))) {
          expect(column).toBeGreaterThanOrEqual(1);
          expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? -1) + 2);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps body and description for any text in a block scalar and any body', () => {
    const line = fc
      .string({ unit: 'grapheme-composite', maxLength: 20 })
      .filter((text) => !/[\r\n\0-\x1f\x7f-\x9f\u2028\u2029\uFEFF]/.test(text));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), fc.array(line, { maxLength: 4 }), (words, body) => {
        const description = `-${words.join('\n-')}`;
        const block = description
          .split('\n')
          .map((text) => `  ${text}`)
          .join('\n');
        const playbook = playbookOf(`---\ndescription: |-\n${block}\n---\n${body.join('\n')}`);
        expect(playbook.description.trimEnd()).toBe(description.trimEnd());
        expect(playbook.body).toBe(body.join('\n'));
      }),
    );
  });

  it('is bounded on text made to be slow', () => {
    for (const unit of ['[', '{a: ', '- ', '? ', ': ', 'a: b: ', '&a ', '!', '*a ', 'a: &a [*a]\n', ' -\n']) {
      const frontMatter = `description: x\n${unit.repeat(Math.floor(16_000 / unit.length))}`;
      expect(parseText(`---\n${frontMatter}\n---\n`).kind).not.toBe('ignored');
    }
    const nulls = `---\ndescription: x\ntags: [${'~,'.repeat(5_000)}]\n---\n`;
    const outcome = parsePlaybook({ ...fileOf(nulls) });
    expect(outcome).toMatchObject({ kind: 'playbook', playbook: { tags: [] } });
  });
});

function fileOf(text: string): Parameters<typeof parsePlaybook>[0] {
  const bytesOfText = new TextEncoder().encode(text);
  const path = '/central/a.md';
  return {
    source: source('central'),
    path,
    realPath: path,
    id: 'a',
    shape: 'file',
    bytes: bytesOfText,
    supportingFiles: [],
  };
}

function bytes(before: string, bad: readonly number[], after: string): Uint8Array {
  const encoder = new TextEncoder();
  return new Uint8Array([...encoder.encode(before), ...bad, ...encoder.encode(after)]);
}
