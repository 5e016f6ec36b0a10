import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../src/model.ts';
import { renderPlaybook } from '../../src/playbooks/render.ts';
import { fields } from './parse-text.ts';

const render = (frontMatter: string, body: string, args: JsonObject = {}): string =>
  renderPlaybook(fields(frontMatter, body), args);

describe('`{{name}}`', () => {
  it.each([
    { name: 'with and without blanks', body: '{{a}} {{ a }} {{  a\t}}', expected: 'X X X' },
    { name: 'next to braces of its own', body: '{ {{a}} }', expected: '{ X }' },
    { name: 'not of GitHub Actions', body: '${{ a }} ${{a}}', expected: '${{ a }} ${{a}}' },
    { name: 'not of Handlebars', body: '{{{a}}} {{#if a}} {{/if}}', expected: '{{{a}}} {{#if a}} {{/if}}' },
    {
      name: 'not of Helm and Jinja',
      body: '{{ .Values.a }} {{ a | upper }} {% a %} {{- a -}}',
      expected: '{{ .Values.a }} {{ a | upper }} {% a %} {{- a -}}',
    },
    {
      name: 'not undeclared, nor inherited',
      body: '{{b}} {{constructor}} {{toString}}',
      expected: '{{b}} {{constructor}} {{toString}}',
    },
    { name: 'not shell style', body: '$a $1 $ARGUMENTS', expected: '$a $1 $ARGUMENTS' },
  ])('is replaced, $name', ({ body, expected }) => {
    expect(render('parameters: [a]', body, { a: 'X', b: 'Y' })).toBe(expected);
  });

  it.each([
    { name: 'nothing', yaml: '{name: a}', args: {}, expected: '<>' },
    { name: 'null', yaml: '{name: a}', args: { a: null }, expected: '<>' },
    { name: 'the default', yaml: '{name: a, default: d}', args: {}, expected: '<d>' },
    { name: 'false', yaml: '{name: a, type: boolean, default: true}', args: { a: false }, expected: '<false>' },
    { name: 'an empty text for the default', yaml: '{name: a, default: d}', args: { a: '' }, expected: '<>' },
    { name: 'a number', yaml: '{name: a, type: number}', args: { a: 0.5 }, expected: '<0.5>' },
    { name: 'a list', yaml: '{name: a, type: array}', args: { a: ['x', 2, true] }, expected: '<x, 2, true>' },
    { name: 'HTML as it is', yaml: '{name: a}', args: { a: '<b> & "c"' }, expected: '<<b> & "c">' },
    {
      name: 'replacement patterns as they are',
      yaml: '{name: a}',
      args: { a: '$& $1 $$ $`' },
      expected: '<$& $1 $$ $`>',
    },
    { name: 'a placeholder as it is', yaml: '{name: a}', args: { a: '{{a}}' }, expected: '<{{a}}>' },
  ])('stands for $name', ({ yaml, args, expected }) => {
    expect(render(`parameters: [${yaml}]`, '<{{a}}>', args)).toBe(expected);
  });

  it('is replaced once, by the value alone, whatever the value', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(render('parameters: [a, b]', '1{{a}}2{{b}}3{{a}}', { a, b })).toBe(`1${a}2${b}3${a}`);
      }),
    );
  });
});

describe("Claude Code's placeholders", () => {
  it.each([
    { name: 'names', body: 'Fix $issue on $branch.', expected: 'Fix 42 on main.' },
    { name: 'positions from one', body: '$1/$2', expected: '42/main' },
    { name: 'positions from zero where the body has one', body: '$0/$1', expected: '42/main' },
    { name: 'positions in brackets, from zero', body: '$ARGUMENTS[0]/$ARGUMENTS[1]', expected: '42/main' },
    { name: 'all of them', body: 'Do: $ARGUMENTS.', expected: 'Do: 42 main.' },
    { name: 'both forms', body: '{{issue}} $issue', expected: '42 42' },
    {
      name: 'but no other variables',
      body: '$issue $HOME $issues $1st $99 ${1} $$1',
      expected: '42 $HOME $issues 42st $99 ${1} $$1',
    },
    { name: 'but none behind a backslash', body: String.raw`$issue \$1 \$issue`, expected: String.raw`42 \$1 \$issue` },
  ])('are replaced: $name', ({ body, expected }) => {
    expect(render('arguments: [issue, branch]', body, { issue: '42', branch: 'main' })).toBe(expected);
  });

  it('prefer the longest name that is declared', () => {
    const args = { issue: 'short', 'issue-id': 'long' };
    expect(render('arguments: [issue, issue-id]', '$issue $issue-id $issue-x', args)).toBe('short long short-x');
  });

  it('split one text of arguments into words as a shell does', () => {
    const args = { ARGUMENTS: `search "two words" 'three more words'x` };
    expect(render('argument-hint: words', '$1|$2|$3|$4', args)).toBe('search|two words|three more wordsx|$4');
    expect(render('argument-hint: words', '$ARGUMENTS', args)).toBe(args.ARGUMENTS);
  });

  it('leave an absent optional empty', () => {
    expect(render('arguments: [issue, branch]', '<$branch><$2><$ARGUMENTS>', { issue: '42' })).toBe('<><><42>');
    expect(render('argument-hint: x', '<$ARGUMENTS>')).toBe('<>');
  });

  it('do not lose arguments that the body has no place for', () => {
    expect(render('argument-hint: x', 'Do it.\n', { ARGUMENTS: 'now' })).toBe('Do it.\n\nARGUMENTS: now\n');
    expect(render('argument-hint: x', 'Do it.\n')).toBe('Do it.\n');
  });

  it('are not read in values', () => {
    expect(render('arguments: [a, b]', '$a $b', { a: '$b', b: '{{a}}' })).toBe('$b {{a}}');
  });
});
