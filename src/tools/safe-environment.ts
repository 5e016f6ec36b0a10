import type { Env } from '../config/index.ts';

/** What the SDK hands on to a stdio server, and what a program needs to speak UTF-8 and local time; on Windows in any case. */
const POSIX = 'HOME LOGNAME PATH SHELL TERM USER LANG LC_ALL LC_CTYPE TZ TMPDIR'.split(' ');
const WINDOWS =
  'APPDATA HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME USERPROFILE'.split(
    ' ',
  );

/**
 * The few variables that a program we start may know: none that holds a secret.
 * @see getDefaultEnvironment in the SDK's `client/stdio`
 */
export function safeEnvironment(env: Env): Readonly<Record<string, string>> {
  const isWindows = process.platform === 'win32';
  const names = new Set(isWindows ? WINDOWS : POSIX);
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]): [string, string][] => {
      const isSafe = names.has(isWindows ? name.toUpperCase() : name);
      // Bash exports functions as such values: code, not data.
      return !isSafe || value === undefined || value.startsWith('()') ? [] : [[name, value]];
    }),
  );
}
