import { describe, expect, it } from 'vitest';

import { resolveWindowsCommand } from '../../src/tools/windows-command.ts';

const NPX = String.raw`@ECHO OFF
SET "NODE_EXE=%~dp0\node.exe"
SET "NPM_PREFIX_JS=%~dp0\node_modules\npm\bin\npm-prefix.js"
SET "NPX_CLI_JS=%~dp0\node_modules\npm\bin\npx-cli.js"
"%NODE_EXE%" "%NPX_CLI_JS%" %*`;

const SHIM = String.raw`@ECHO off
GOTO start
:start
"%_prog%"  "%dp0%\..\wiki-mcp\dist\index.js" %*`;

const files = new Map([
  [String.raw`C:\node\npx.cmd`, NPX],
  [String.raw`C:\npm\wiki-mcp.cmd`, SHIM],
  [String.raw`C:\tools\build.bat`, '@echo building'],
  [String.raw`C:\tools\uvx.exe`, 'MZ'],
]);

const machine = {
  env: { Path: String.raw`C:\node;C:\npm;C:\tools`, PATHEXT: '.COM;.EXE;.BAT;.CMD' },
  node: String.raw`C:\node\node.exe`,
  isFile: (path: string) => files.has(path),
  readText: (path: string) => files.get(path) ?? '',
};

describe('resolveWindowsCommand', () => {
  it.each([
    { name: 'npx', command: 'npx', script: String.raw`C:\node\node_modules\npm\bin\npx-cli.js` },
    { name: 'npx by its whole name', command: 'npx.cmd', script: String.raw`C:\node\node_modules\npm\bin\npx-cli.js` },
    { name: 'a package installed by npm', command: 'wiki-mcp', script: String.raw`C:\wiki-mcp\dist\index.js` },
    {
      name: 'a shim by its path',
      command: String.raw`C:\npm\wiki-mcp.cmd`,
      script: String.raw`C:\wiki-mcp\dist\index.js`,
    },
  ])('runs the script of $name by node, without a shell', ({ command, script }) => {
    const resolved = resolveWindowsCommand({ command, args: ['-y', 'a b & c'] }, machine);
    expect(resolved).toEqual({ command: machine.node, args: [script, '-y', 'a b & c'] });
  });

  it.each([
    { name: 'a program', command: 'uvx' },
    { name: 'a program that is not found', command: 'deno' },
  ])('leaves $name as it is', ({ command }) => {
    const program = { command, args: ['x'] };
    expect(resolveWindowsCommand(program, machine)).toBe(program);
  });

  it('gives nothing for a batch file that is no shim', () => {
    expect(resolveWindowsCommand({ command: 'build', args: [] }, machine)).toBeUndefined();
  });
});
