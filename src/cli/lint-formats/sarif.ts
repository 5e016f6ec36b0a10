import { pathToFileURL } from 'node:url';
import { ALL_RULES } from '../../catalog/lint/rules.ts';
import type { Diagnostic } from '../../model.ts';
import { packageInfo } from '../../server/package-root.ts';
import { shownPath } from './shown-path.ts';

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const;

/** A SARIF 2.1.0 log with one run. @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html */
export function toSarif(diagnostics: readonly Diagnostic[], cwd: string): object {
  const rules = ALL_RULES.filter(({ id }) => diagnostics.some(({ rule }) => rule === id));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'playbook-mcp',
            version: packageInfo().version,
            rules: rules.map(({ id, severity, summary, why, mend }) => ({
              id,
              shortDescription: { text: summary },
              fullDescription: { text: why },
              help: { text: mend },
              defaultConfiguration: { level: LEVELS[severity] },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { CWD: { uri: `${pathToFileURL(cwd).href}/` } },
        results: diagnostics.map((diagnostic) =>
          toResult(
            diagnostic,
            cwd,
            rules.findIndex(({ id }) => id === diagnostic.rule),
          ),
        ),
      },
    ],
  };
}

function toResult(
  { rule, severity, path, line, column, message, hint }: Diagnostic,
  cwd: string,
  ruleIndex: number,
): object {
  return {
    ruleId: rule,
    ...(ruleIndex >= 0 && { ruleIndex }),
    level: LEVELS[severity],
    message: { text: hint === undefined ? message : `${message} ${hint}` },
    locations: [
      {
        physicalLocation: { artifactLocation: artifactOf(path, cwd), region: { startLine: line, startColumn: column } },
      },
    ],
  };
}

/** Relative where it can be: viewers join it with the repository's root. */
function artifactOf(path: string, cwd: string): object {
  const shown = shownPath(path, cwd);
  return shown === path
    ? { uri: pathToFileURL(path).href }
    : { uri: encodeURI(shown).replaceAll('#', '%23').replaceAll('?', '%3F'), uriBaseId: 'CWD' };
}
