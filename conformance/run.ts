/** `npm run conformance [-- words]`: the official suite against `serve --http`; fails where it and `left-out.ts` disagree. */
import { leftOut } from './left-out.ts';
import { startProduct } from './product.ts';
import { type Run, runs } from './scenarios.ts';
import { startShim } from './shim.ts';
import { type Check, runScenario, scenariosOf } from './suite.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);
/** What the suite only warns of, or skips, has not been shown either. */
const NOT_PASSED: ReadonlySet<Check['status']> = new Set(['FAILURE', 'WARNING', 'SKIPPED']);
const words = process.argv.slice(2);
const chosen = runs.filter(({ scenario }) => words.length === 0 || words.some((word) => scenario.includes(word)));
const problems: string[] = words.length === 0 ? await missingScenarios() : [];

const product = await startProduct();
try {
  const shim = await startShim(product.url);
  try {
    const urls = { server: product.url, shim: shim.url };
    let passed = 0;
    for (const run of chosen) {
      const checks = await runScenario(urls[run.through], run);
      const found = disagreements(run, checks);
      problems.push(...found);
      passed += checks.filter(({ status }) => status === 'SUCCESS').length;
      say(`${found.length === 0 ? 'ok  ' : 'FAIL'} ${nameOf(run)}: ${summary(checks)}`);
    }
    say(`\n${chosen.length} runs of scenarios, ${passed} checks passed, ${leftOut.length} left out with a reason.`);
  } finally {
    shim.close();
  }
} finally {
  await product.close();
}
for (const problem of problems) say(`- ${problem}`);
if (problems.length > 0) process.exitCode = 1;

function nameOf({ scenario, revision }: Pick<Run, 'scenario' | 'revision'>): string {
  return `${scenario} (${revision})`;
}

function summary(checks: readonly Check[]): string {
  const statuses = [...new Set(checks.map(({ status }) => status))];
  const counts = statuses.map((each) => `${checks.filter(({ status }) => status === each).length} ${each}`);
  return checks.length === 0 ? 'not applicable' : counts.join(', ');
}

/** What is not passed and nobody expects, and what is listed as left out and is passed. */
function disagreements(run: Run, checks: readonly Check[]): readonly string[] {
  const listed = leftOut.filter(({ scenario, revision }) => scenario === run.scenario && revision === run.revision);
  const missed = checks.filter(({ status }) => NOT_PASSED.has(status));
  const isJudged = checks.some(({ status }) => status === 'SUCCESS') || missed.length > 0;
  return [
    ...missed
      .filter(({ id }) => !listed.some(({ check }) => check === id))
      .map(({ id, status, errorMessage = '' }) => `${nameOf(run)}: ${id} is ${status}: ${errorMessage.slice(0, 400)}`),
    ...listed
      .filter(({ check }) => !checks.some(({ id, status }) => id === check && status !== 'SUCCESS'))
      .map(({ check }) => `${nameOf(run)}: ${check} is listed in left-out.ts and is passed, or not made`),
    ...(isJudged || listed.length > 0 ? [] : [`${nameOf(run)}: nothing was checked`]),
  ];
}

/** Scenarios that the suite has and `scenarios.ts` has not. */
async function missingScenarios(): Promise<string[]> {
  const revisions = ['2025-11-25', '2026-07-28'] as const;
  const all = await Promise.all(revisions.map(async (revision) => ({ revision, names: await scenariosOf(revision) })));
  return all.flatMap(({ revision, names }) =>
    names
      .filter((name) => !runs.some(({ scenario, revision: at }) => scenario === name && at === revision))
      .map((name) => `${nameOf({ scenario: name, revision })} is not in scenarios.ts`),
  );
}
