import { describe, expect, it } from 'vitest';
import { editRetired } from '../../src/config/edit-retired.ts';

const PATH = '/home/config.json';
const retired = { replacedBy: 'y', reason: 'r' };
const put = (text: string): string => editRetired(text, PATH, { id: 'g__old', retired });
const out = (text: string): string => editRetired(text, PATH, { id: 'g__old', retired: undefined });

const ENTRY = '"g__old": {\n      "replacedBy": "y",\n      "reason": "r"\n    }';

describe('editRetired', () => {
  it.each([
    {
      name: 'a file that is not there yet',
      from: '',
      to: `{\n  "retired": {\n    ${ENTRY}\n  }\n}\n`,
    },
    {
      name: 'behind the last key and its comment',
      from: '{\n  // head\n  "starter": true // d\n}\n',
      to: `{\n  // head\n  "starter": true, // d\n  "retired": {\n    ${ENTRY}\n  }\n}\n`,
    },
    {
      name: 'behind the last entry and its comment, with the commas that are there',
      from: '\uFEFF{\n  "retired": {\n    "x": {}, // why\n    // none\n  },\n}\n',
      to: `\uFEFF{\n  "retired": {\n    "x": {}, // why\n    ${ENTRY},\n    // none\n  },\n}\n`,
    },
    {
      name: 'tabs and Windows line ends',
      from: '{\r\n\t"starter": true\r\n}\r\n',
      to: '{\r\n\t"starter": true,\r\n\t"retired": {\r\n\t\t"g__old": {\r\n\t\t\t"replacedBy": "y",\r\n\t\t\t"reason": "r"\r\n\t\t}\r\n\t}\r\n}\r\n',
    },
    {
      name: 'one line',
      from: '{ "starter": true }',
      to: `{\n  "starter": true,\n  "retired": {\n    ${ENTRY}\n  }\n}`,
    },
    {
      name: 'in the place of another reason',
      from: '{\n  "retired": {\n    // why\n    "g__old": {}, // g\n    "z": {}\n  }\n}\n',
      to: `{\n  "retired": {\n    // why\n    ${ENTRY}, // g\n    "z": {}\n  }\n}\n`,
    },
  ])('retires an entry: $name', ({ from, to }) => {
    expect(put(from)).toBe(to);
    expect(put(to)).toBe(to);
  });

  it.each([
    {
      name: 'with its comment, and no other one',
      from: `{\n  "retired": {\n    "y": {}, // yy\n    ${ENTRY}, // gg\n    "z": {} // zz\n  } // end\n}\n`,
      to: '{\n  "retired": {\n    "y": {}, // yy\n    "z": {} // zz\n  } // end\n}\n',
    },
    {
      name: 'as the last one',
      from: `{\n  "retired": {\n    "y": {}, // yy\n    ${ENTRY} // gg\n  }\n}\n`,
      to: '{\n  "retired": {\n    "y": {} // yy\n  }\n}\n',
    },
    { name: 'from one line', from: '{ "retired": { "g__old": {} } }', to: '{ "retired": {} }' },
    { name: 'that is not there', from: '{ "retired": {} }', to: '{ "retired": {} }' },
  ])('restores an entry $name', ({ from, to }) => {
    expect(out(from)).toBe(to);
  });

  it('refuses what is no JSON', () => {
    expect(() => put('{ "retired": ')).toThrow(expect.objectContaining({ code: 'config/not-json' }));
  });

  it('refuses a list where entries should be', () => {
    expect(() => put('{ "retired": [] }')).toThrow(expect.objectContaining({ code: 'config/uneditable' }));
  });
});
