/** Builds `dist/`: the library by plain `tsc`, the bin as one minified bundle with its heavy parts split off. */
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { build, type Plugin } from 'esbuild';
import { buildPage } from './page.ts';

const require = createRequire(import.meta.url);
rmSync('dist', { recursive: true, force: true });

// Types are checked by `npm run check:types`: here that would take most of the time.
const tsc = require.resolve('typescript/lib/tsc.js');
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--noCheck'], { stdio: 'inherit' });

/**
 * The SDK's server is one module, which a bundler puts into one chunk with all that anybody uses of it: the first answer over stdio would
 * parse what HTTP alone needs. So HTTP has that module a second time; what it defines is used by nobody else, its parts are shared.
 */
const SDK_SERVER = '@modelcontextprotocol/server';
const ownSdkForHttp: Plugin = {
  name: 'own-sdk-for-http',
  setup: (bundler) => {
    bundler.onResolve({ filter: new RegExp(`^${SDK_SERVER}$`) }, async ({ importer, resolveDir, kind, pluginData }) => {
      if (pluginData === SDK_SERVER || !/[/\\]src[/\\]server[/\\]http[/\\]/.test(importer)) return undefined;
      return { ...(await bundler.resolve(SDK_SERVER, { resolveDir, kind, pluginData: SDK_SERVER })), suffix: '?http' };
    });
  },
};

const { metafile } = await build({
  entryPoints: {
    'playbook-mcp': 'src/cli/main.ts',
    'usage-worker': 'src/usage/worker.ts',
    'usage-reader': 'src/usage/reader.ts',
    'usage-learner': 'src/usage/learner.ts',
  },
  // One looks for its build of the machine in a package of its own, the other tries to load what most people do not have.
  external: ['libsql', 'pg'],
  outdir: 'dist/bin',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // The UMD build of jsonc-parser hides its imports from a bundler.
  mainFields: ['module', 'main'],
  minify: true,
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'none',
  chunkNames: 'chunks/[name]-[hash]',
  // CommonJS packages in an ESM bundle call `require` for Node's own modules.
  banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
  logLevel: 'warning',
  metafile: true,
  plugins: [ownSdkForHttp],
});
const locales = Object.values(metafile.outputs)
  .flatMap(({ inputs }) => Object.entries(inputs))
  .filter(([path, { bytesInOutput }]) => /zod\/v4\/locales\/(?!en\.)/.test(path) && bytesInOutput > 0);
if (locales.length > 0) {
  // 350 KB that every start would parse.
  throw new Error(
    "The bundle holds all of zod's locales: somewhere `import { z } from 'zod'` stands for `import * as z from 'zod'`.",
  );
}

/** The outputs that one loads when it starts. */
function loadedWith(output: string, loaded = new Set<string>()): ReadonlySet<string> {
  if (loaded.has(output)) return loaded;
  loaded.add(output);
  for (const { path, kind } of metafile.outputs[output]?.imports ?? []) {
    if (kind === 'import-statement') loadedWith(path, loaded);
  }
  return loaded;
}

for (const thread of ['worker', 'reader', 'learner']) {
  const outputs = [...loadedWith(`dist/bin/usage-${thread}.js`)];
  const inputs = outputs.flatMap((output) => Object.keys(metafile.outputs[output]?.inputs ?? {}));
  if (inputs.some((path) => path.includes('node_modules/zod/'))) {
    throw new Error(
      `The thread usage-${thread} loads zod, which is half of its start: import what it needs from elsewhere.`,
    );
  }
}

chmodSync('dist/bin/playbook-mcp.js', 0o755);

for (const name of ['graph', 'report']) await buildPage(`src/cli/${name}-page`, `dist/${name}-page.html`);

const { configJsonSchema } = (await import('../src/config/index.ts')) as { configJsonSchema: () => unknown };
const { playbookJsonSchema } = (await import('../src/playbooks/schema.ts')) as { playbookJsonSchema: () => unknown };
const { reviewVerdictJsonSchema } = (await import('../src/server/review-verdict.ts')) as {
  reviewVerdictJsonSchema: () => unknown;
};
const schemas = {
  config: configJsonSchema(),
  playbook: playbookJsonSchema(),
  'review-verdict': reviewVerdictJsonSchema(),
};
for (const [name, schema] of Object.entries(schemas)) {
  writeFileSync(`dist/${name}.schema.json`, `${JSON.stringify(schema, null, 2)}\n`);
}
