import { fileURLToPath } from 'node:url';

const fake = fileURLToPath(new URL('../test/tools/fakes/raw-upstream.mjs', import.meta.url));

/** One entry of `mcpServers`. */
export interface UpstreamEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Twenty upstreams as they are found in the wild, by name: fifteen that are well, and one each that hangs at its start, exits at
 * once, prints a banner on stdout, is slow to answer, and has a tool with a schema that is none.
 */
export function twentyUpstreams({ delayMs }: { readonly delayMs: number }): Readonly<Record<string, UpstreamEntry>> {
  const entry = (mode: string, env: Record<string, string> = {}): UpstreamEntry => ({
    command: process.execPath,
    args: [fake, mode],
    env,
  });
  const healthy = Array.from({ length: 15 }, (_, i) => [`well-${i + 1}`, entry('plain')] as const);
  return {
    hangs: entry('hang'),
    exits: entry('exit'),
    banner: entry('banner'),
    slow: entry('slow-start', { START_DELAY_MS: String(delayMs) }),
    'bad-schema': entry('bad-schema'),
    ...Object.fromEntries(healthy),
  };
}
