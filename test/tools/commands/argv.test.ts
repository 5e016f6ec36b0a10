import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Parameter } from '../../../src/model.ts';
import { fillArgv } from '../../../src/tools/commands/argv.ts';

const text = (name: string, more: Partial<Parameter> = {}): Parameter => ({
  name,
  type: 'string',
  isRequired: false,
  ...more,
});
const parameters = [
  text('path'),
  text('depth', { type: 'integer' }),
  text('files', { type: 'array' }),
  text('mode', { enum: ['-l', 'plain'] }),
  text('level', { default: 'low' }),
];

describe('an item of a command', () => {
  it.each([
    { name: 'stays as it is without parameters', item: 'awk {print $1} {}', args: {}, filled: ['awk {print $1} {}'] },
    { name: 'becomes the value', item: '{path}', args: { path: 'a b;$(c)' }, filled: ['a b;$(c)'] },
    { name: 'is left out where the value is absent', item: '{path}', args: {}, filled: [] },
    { name: 'is left out with what surrounds the absent value', item: '--depth={depth}', args: {}, filled: [] },
    { name: 'takes a default', item: '{level}', args: {}, filled: ['low'] },
    {
      name: 'becomes one for each value of an array',
      item: '{files}',
      args: { files: ['a', 'b', 3] },
      filled: ['a', 'b', '3'],
    },
    { name: 'is left out for an empty array', item: '{files}', args: { files: [] }, filled: [] },
    { name: 'takes values in place', item: '{path}:{depth}', args: { path: 'x', depth: 2 }, filled: ['x:2'] },
    { name: 'joins an array in place', item: '--only={files}', args: { files: ['a', 'b'] }, filled: ['--only=a,b'] },
    {
      name: 'is not filled again by a value',
      item: '{path}',
      args: { path: '{depth}', depth: 1 },
      filled: ['{depth}'],
    },
    { name: 'may become a negative number', item: '{depth}', args: { depth: -1 }, filled: ['-1'] },
    { name: 'may become an option that the enum has', item: '{mode}', args: { mode: '-l' }, filled: ['-l'] },
    {
      name: 'may have a value of any beginning in an option',
      item: '--x={path}',
      args: { path: '-rf' },
      filled: ['--x=-rf'],
    },
  ])('$name', ({ item, args, filled }) => {
    expect(fillArgv({ command: ['program', item], parameters }, args)).toEqual(['program', ...filled]);
  });

  it.each([
    { name: 'a value', item: '{path}', args: { path: '-rf' } },
    { name: 'a value of an array', item: '{files}', args: { files: ['a', '--force'] } },
    { name: 'a value at the beginning of an item', item: '{path}/x', args: { path: '--output=' } },
    { name: 'a NUL', item: '{path}', args: { path: 'a\0b' } },
  ])('is refused where it would become an option, or no argument at all: $name', ({ item, args }) => {
    expect(() => fillArgv({ command: ['program', item], parameters }, args)).toThrow(/is refused/);
  });

  it('may begin with a dash after an item --', () => {
    expect(fillArgv({ command: ['rm', '--', '{path}'], parameters }, { path: '-rf' })).toEqual(['rm', '--', '-rf']);
  });

  it('never becomes an option, whatever the value', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (path, files) => {
        let filled: readonly string[] = [];
        try {
          filled = fillArgv({ command: ['p', '{path}', '{path}{files}', '{files}'], parameters }, { path, files });
        } catch {
          // Refused.
        }
        expect(filled.filter((item) => item.startsWith('-'))).toEqual([]);
      }),
    );
  });
});
