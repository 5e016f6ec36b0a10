import * as fc from 'fast-check';
import { sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expandVariables } from '../../src/config/expand.ts';

const env = { TOKEN: 'secret', EMPTY: '', LOOP: '${TOKEN}' };

describe('expandVariables', () => {
  it.each([
    { name: 'a variable', text: 'Bearer ${TOKEN}', expected: 'Bearer secret' },
    { name: 'a variable as VS Code writes it', text: '${env:TOKEN}', expected: 'secret' },
    { name: 'several variables', text: '${TOKEN}/${env:TOKEN}', expected: 'secret/secret' },
    { name: 'an empty variable', text: '[${EMPTY}]', expected: '[]' },
    { name: 'a default for an unset variable', text: '${NONE:-http://x:1/a-b}', expected: 'http://x:1/a-b' },
    { name: 'a default for an empty variable', text: '${EMPTY:-d}', expected: 'd' },
    { name: 'an empty default', text: '[${NONE:-}]', expected: '[]' },
    { name: 'no default for a set variable', text: '${TOKEN:-d}', expected: 'secret' },
    { name: 'a default of the VS Code form', text: '${env:NONE:-d}', expected: 'd' },
    { name: 'nothing in what was put in', text: '${LOOP}', expected: '${TOKEN}' },
    { name: 'the home directory', text: '${userHome}/x', expected: '/home/a/x' },
    { name: 'the separator of paths', text: 'a${pathSeparator}b${/}c', expected: `a${sep}b${sep}c` },
    { name: 'no other dollar sign', text: '$TOKEN $1 {TOKEN} $$ ${TOKEN', expected: '$TOKEN $1 {TOKEN} $$ ${TOKEN' },
  ])('expands $name', ({ text, expected }) => {
    expect(expandVariables(text, env, '/home/a')).toEqual({ kind: 'text', text: expected });
  });

  it.each([
    { name: 'an unset variable', text: '${NONE}', reason: 'NONE is not set' },
    { name: 'the first of several', text: '${TOKEN} ${NONE} ${input:key}', reason: 'NONE is not set' },
    { name: 'an input of VS Code', text: '${input:key}', reason: '${input:key} asks a person' },
    { name: 'the folder of a workspace', text: '${workspaceFolder}/x', reason: 'one server serves many workspaces' },
    { name: 'a folder of several', text: '${workspaceFolder:api}', reason: 'one server serves many workspaces' },
    { name: 'a setting of VS Code', text: '${config:a.b}', reason: '${config:a.b} is not a variable' },
    { name: 'a name of Object.prototype', text: '${constructor}', reason: 'constructor is not set' },
  ])('tells why it cannot expand $name', ({ text, reason }) => {
    const expansion = expandVariables(text, env, '/home/a');
    expect(expansion.kind === 'unresolved' && expansion.reason).toContain(reason);
  });

  it('leaves text without references as it is', () => {
    const plain = fc.string().filter((text) => !text.includes('${'));
    fc.assert(
      fc.property(plain, (text) => {
        expect(expandVariables(text, env, '/h')).toEqual({ kind: 'text', text });
      }),
    );
  });
});
