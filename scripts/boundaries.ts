/** Checks the import rules of `.dependency-cruiser.mjs`; fails too where nothing was cruised (it passes silently then). */
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
// oxlint-disable-next-line typescript/ban-ts-comment -- the tool's own configuration is plain JavaScript
// @ts-ignore
import configuration from '../.dependency-cruiser.mjs';

const FEWEST_MODULES = 20;

const { output } = await cruise(
  ['src'],
  {
    ...configuration.options,
    ruleSet: { forbidden: configuration.forbidden },
    validate: true,
    outputType: 'json',
  } as never,
  undefined,
  { tsConfig: extractTSConfig('tsconfig.json') },
);
const { modules, summary } = JSON.parse(output as string) as {
  modules: { source: string }[];
  summary: { violations: { from: string; to: string; rule: { name: string } }[] };
};
const cruised = modules.filter(({ source }) => source.startsWith('src/')).length;
for (const { from, to, rule } of summary.violations) console.error(`${rule.name}: ${from} → ${to}`);
if (cruised <= FEWEST_MODULES) console.error(`Only ${cruised} modules of src were cruised: the check saw nothing.`);
if (summary.violations.length > 0 || cruised <= FEWEST_MODULES) process.exitCode = 1;
else console.error(`boundaries: ${cruised} modules of src, no violation`);
