// The data's path (ARCHITECTURE.md). A file may import its own stage and any stage to the left.
const STAGES = ['errors|model', 'config', 'files', 'playbooks', 'catalog', 'search', 'tools', 'usage', 'server', 'cli'];
const at = (stage) => `^src/(${stage})(/|\\.ts$)`;

const forward = STAGES.slice(0, -1).map((stage, i) => ({
  name: `no-forward-from-${stage.replace('|', '-')}`,
  severity: 'error',
  comment: 'Imports point back along the data path, never forward.',
  from: { path: at(stage) },
  to: { path: at(STAGES.slice(i + 1).join('|')) },
}));

const door = (pkg, file) => ({
  name: `${pkg.replace(/\W/g, '-')}-has-one-door`,
  severity: 'error',
  comment: `Only ${file} may import ${pkg}: what has state or I/O is replaced in one place.`,
  from: { path: '^src/', pathNot: file },
  to: { path: `node_modules/${pkg}/` },
});

export default {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'A cycle means that two files are one, or that a third is missing.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-dev-dep-in-src',
      severity: 'error',
      comment: 'What the product imports must be installed with it; the pages are bundled.',
      from: { path: '^src', pathNot: '^src/cli/(graph|report)-page/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pure-middle',
      severity: 'error',
      comment: 'Parsing, the catalog and search take data and give data: no files, network or processes.',
      from: { path: '^src/(playbooks|catalog|search)/' },
      to: { dependencyTypes: ['core'], path: '^(node:)?(fs|child_process|net|http|https|worker_threads|process)' },
    },
    ...forward,
    door('@modelcontextprotocol/client', '^src/tools/'),
    door('@modelcontextprotocol/server', '^src/server/'),
    door('ajv', '^src/tools/'),
    door('commander', '^src/cli/'),
    door('gray-matter', '^src/playbooks/'),
    door('hono', '^src/server/http/'),
    door('@hono/node-server', '^src/server/http/'),
    door('prom-client', '^src/server/http/metrics\\.ts$'),
    door('rate-limiter-flexible', '^src/server/http/rate-limit\\.ts$'),
    door('jose', '^src/server/http/issuer\\.ts$'),
    door('jsonc-parser', '^src/config(/|\\.ts$)'),
    door('kysely', '^src/usage/'),
    door('libsql', '^src/usage/connect\\.ts$'),
    door('markdown-it', '^src/playbooks/'),
    door('minisearch', '^src/(search/search-index|cli/graph-page/find)\\.ts$'),
    door('pg', '^src/usage/(connect|replica-channel)\\.ts$'),
    door('picocolors', '^src/cli/print\\.ts$'),
    door('pino', '^src/server/log\\.ts$'),
    door('snowball-stemmers', '^src/search/'),
    door('toml-eslint-parser', '^src/config/'),
    door('yaml', '^src/playbooks/'),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
