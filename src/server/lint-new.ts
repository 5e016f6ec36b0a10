import type { Catalog } from '../catalog/catalog.ts';
import { lintCatalog, type RuleLevels } from '../catalog/lint/lint.ts';
import { LINT_RULES } from '../catalog/lint/rules.ts';
import type { Diagnostic, Playbook } from '../model.ts';
import { tokenize } from '../search/tokenize.ts';
import { missingFiles, pathBeside } from './linked-files.ts';

interface NewText {
  /** With the playbook in it. */
  readonly catalog: Catalog;
  readonly playbook: Playbook;
  /** The whole file. */
  readonly text: string;
  readonly levels: RuleLevels;
}

/** Findings about a playbook that is not written yet, a line each, in the order of its text. */
export interface NewFindings {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** Rules that compare every playbook with every other; one alone is compared more cheaply. `orphan`: what is new is referred to later. */
const LEFT_OUT = ['duplicate', 'duplicate-name', 'orphan'];

/** Lints a playbook before it is written. */
export async function lintNew({ catalog, playbook, text, levels }: NewText): Promise<NewFindings> {
  const missing = await missingFiles(catalog, [playbook]);
  const off = new Map(LINT_RULES.filter(({ id }) => LEFT_OUT.includes(id)).map(({ id }) => [id, 'off' as const]));
  const { diagnostics } = lintCatalog({
    catalog,
    files: new Map([[playbook, new TextEncoder().encode(text)]]),
    broken: new Map(),
    reported: [],
    levels: new Map([...levels, ...off]),
    listedServers: new Set(),
    tokenize,
    hasFile: (of, file) => !missing.has(pathBeside(of, file)),
  });
  const lines = (severity: Diagnostic['severity']): readonly string[] =>
    diagnostics.filter((each) => each.severity === severity).map((each) => toLine(each, playbook));
  return { errors: lines('error'), warnings: lines('warning') };
}

/** Lines are counted in what was given: the front matter is written by us. */
function toLine({ rule, line, message, hint }: Diagnostic, { bodyLine }: Playbook): string {
  const place = line < bodyLine ? rule : `instructions line ${line - bodyLine + 1}: ${rule}`;
  return `${place}: ${message}${hint === undefined ? '' : ` ${hint}`}`;
}
