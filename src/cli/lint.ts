import type { RuleLevels } from '../catalog/lint/lint.ts';
import { ALL_RULES } from '../catalog/lint/rules.ts';
import { unknownRule } from '../catalog/lint/directives.ts';
import { PlaybookError } from '../errors.ts';
import type { Severity } from '../model.ts';
import { fixPlaybooks, lintPlaybooks, type LintOutcome, type LintRequest, type LintRun } from '../server/lint.ts';
import { countBySeverity } from './lint-formats/counts.ts';
import { githubLines } from './lint-formats/github.ts';
import { toJsonReport } from './lint-formats/json.ts';
import { toSarif } from './lint-formats/sarif.ts';
import { fixLines, summaryLine, textLines } from './lint-formats/text.ts';
import { type CommonOptions, runtimeOptions } from './options.ts';
import { exitWith, print, printJson, progress, remark } from './print.ts';

/** `lint`'s own flags, as commander reads them. */
export interface LintOptions {
  readonly paths: readonly string[];
  readonly format: 'text' | 'json' | 'github' | 'sarif';
  readonly json?: boolean;
  readonly fix?: boolean;
  readonly maxWarnings?: string;
  readonly quiet?: boolean;
  readonly rule: readonly string[];
  readonly all?: boolean;
}

/** Lints playbooks and prints what is found; exits 1 on an error, or on more warnings than allowed. */
export async function lintCommand(common: CommonOptions, options: LintOptions): Promise<void> {
  const mostWarnings = warningLimit(options.maxWarnings);
  const request: LintRequest = {
    options: { ...runtimeOptions(common), log: () => undefined },
    paths: options.paths,
    all: options.all === true,
    levels: levelsFrom(options.rule),
    onProgress: (step, done, total) => progress(`${step} ${done}${total === 0 ? '' : ` of ${total}`} playbooks`),
  };
  try {
    const found = await lintPlaybooks(request);
    report(options.fix === true ? await fixAll(request, found) : found, options);
  } finally {
    progress('');
  }

  function report(outcome: LintOutcome, { quiet = false, format, json = false }: LintOptions): void {
    progress('');
    const counts = countBySeverity(outcome.diagnostics);
    const shown = quiet ? outcome.diagnostics.filter(({ severity }) => severity === 'error') : outcome.diagnostics;
    printFindings(json ? 'json' : format, { ...outcome, diagnostics: shown });
    for (const note of outcome.notes) remark(`note: ${note}`);
    if (counts.error > 0) exitWith(1);
    if (mostWarnings === undefined || counts.warning <= mostWarnings) return;
    remark(`${counts.warning} warnings are more than the ${mostWarnings} that --max-warnings allows.`);
    exitWith(1);
  }
}

/** Mends, says what was mended, and looks again at what is left. */
async function fixAll(request: LintRequest, found: LintRun): Promise<LintOutcome> {
  const fixed = await fixPlaybooks(found);
  progress('');
  for (const line of fixLines(fixed, request.options.cwd)) remark(line);
  return fixed.length === 0 ? found : lintPlaybooks(request);
}

function printFindings(format: LintOptions['format'], outcome: LintOutcome): void {
  const cwd = process.cwd();
  switch (format) {
    case 'text':
      for (const line of textLines(outcome.diagnostics, cwd)) print(line);
      // A summary is about the findings: stdout has only them.
      return remark(summaryLine(outcome));
    case 'json':
      return printJson(toJsonReport(outcome, cwd));
    case 'github':
      for (const line of githubLines(outcome.diagnostics, cwd)) print(line);
      return;
    case 'sarif':
      return printJson(toSarif(outcome.diagnostics, cwd));
  }
}

const LEVELS: ReadonlyMap<string, Severity | 'off'> = new Map([
  ['error', 'error'],
  ['warning', 'warning'],
  ['info', 'info'],
  ['off', 'off'],
]);

/** `rule-id=level`, repeated. @throws PlaybookError `cli/usage`. */
function levelsFrom(written: readonly string[]): RuleLevels {
  const ids = ALL_RULES.map(({ id }) => id);
  return new Map(
    written.map((each) => {
      const [id = '', level = ''] = each.split('=');
      const known = LEVELS.get(level);
      if (!ids.includes(id)) {
        const { message, hint } = unknownRule(id, ids);
        throw new PlaybookError('cli/usage', message, { hint });
      }
      if (known !== undefined) return [id, known];
      throw new PlaybookError('cli/usage', `"${level}" is no level of a rule.`, {
        hint: `Write --rule ${id}=error, =warning, =info or =off.`,
      });
    }),
  );
}

function warningLimit(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  if (/^\d{1,9}$/.test(written)) return Number(written);
  throw new PlaybookError('cli/usage', `"${written}" is not a number of warnings.`, { hint: 'Give one such as 0.' });
}
