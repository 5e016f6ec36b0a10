import { win32 } from 'node:path';

/** A program and its arguments as `spawn` takes them. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** What resolving a command needs to know of the machine. */
export interface WindowsMachine {
  /** The environment that the program will get: `PATH` and `PATHEXT` are read, in any case. */
  readonly env: Readonly<Record<string, string>>;
  /** Path of the `node` that runs scripts. */
  readonly node: string;
  readonly isFile: (path: string) => boolean;
  readonly readText: (path: string) => string;
}

const SCRIPT_OF_SHIM = /%(?:~dp0|dp0%)\\?([^"%\r\n]+\.[cm]?js)"/g;

/**
 * What to spawn for a command on Windows, where `npx` is a batch file and Node starts no batch file without a shell. The
 * shims that npm and Node write end in one script, which is run by `node` itself: no shell, so no quoting to get wrong.
 * @returns the command unchanged where it is no batch file, and undefined for a batch file that is not such a shim.
 */
export function resolveWindowsCommand(program: Program, machine: WindowsMachine): Program | undefined {
  const shim = findBatchFile(program.command, machine);
  if (shim === undefined) return program;
  // Node's own npx.cmd names a second script first, that only finds npm's prefix.
  const script = [...shim.text.matchAll(SCRIPT_OF_SHIM)].at(-1)?.[1];
  if (script === undefined) return undefined;
  return { command: machine.node, args: [win32.join(win32.dirname(shim.path), script), ...program.args] };
}

function findBatchFile(
  command: string,
  { env, isFile, readText }: WindowsMachine,
): { path: string; text: string } | undefined {
  const folders = /[\\/]/.test(command) ? [''] : valueOf(env, 'PATH').split(';');
  const endings = win32.extname(command) === '' ? valueOf(env, 'PATHEXT', '.COM;.EXE;.BAT;.CMD').split(';') : [''];
  for (const folder of folders) {
    for (const ending of endings) {
      const path = win32.join(folder, command + ending.toLowerCase());
      if (isFile(path)) return /\.(?:cmd|bat)$/i.test(path) ? { path, text: readText(path) } : undefined;
    }
  }
  return undefined;
}

function valueOf(env: Readonly<Record<string, string>>, name: string, otherwise = ''): string {
  const key = Object.keys(env).find((candidate) => candidate.toUpperCase() === name);
  return (key === undefined ? undefined : env[key]) ?? otherwise;
}
