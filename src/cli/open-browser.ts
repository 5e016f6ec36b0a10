import { spawn } from 'node:child_process';

/** Opens an address in the person's browser. @returns false where there is none to be expected, such as over SSH. */
export function openBrowser(url: string): boolean {
  const { platform, env } = process;
  if (env['SSH_CONNECTION'] !== undefined || env['CI'] !== undefined) return false;
  const isHeadless = env['DISPLAY'] === undefined && env['WAYLAND_DISPLAY'] === undefined;
  if (platform !== 'darwin' && platform !== 'win32' && isHeadless) return false;
  const [command, ...args] = commandOf(platform);
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  // The address is on the screen all the same.
  child.on('error', () => undefined);
  child.unref();
  return true;
}

function commandOf(platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open'];
  // `start` would need a shell, to which the address would be code.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}
