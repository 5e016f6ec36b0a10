import { DIRECTIVE_RULES } from './directives.ts';
import { REPORTED } from './reported.ts';
import { ambiguousReference } from './rules/ambiguous-reference.ts';
import { brokenReference } from './rules/broken-reference.ts';
import { deprecatedReference } from './rules/deprecated-reference.ts';
import { descriptionWhat } from './rules/description-what.ts';
import { descriptionWhen } from './rules/description-when.ts';
import { duplicate, duplicateName } from './rules/duplicate.ts';
import { finalNewline } from './rules/final-newline.ts';
import { hiddenUnicode } from './rules/hidden-unicode.ts';
import { longBody } from './rules/long-body.ts';
import { missingFile } from './rules/missing-file.ts';
import { missingVerification } from './rules/missing-verification.ts';
import { misspelledField } from './rules/misspelled-field.ts';
import { nameForm } from './rules/name-form.ts';
import { orphan } from './rules/orphan.ts';
import { overrideInstructions } from './rules/override-instructions.ts';
import { referenceCycle } from './rules/reference-cycle.ts';
import { secret } from './rules/secret.ts';
import { undeclaredParameter } from './rules/undeclared-parameter.ts';
import { unfilledTemplate } from './rules/unfilled-template.ts';
import { unknownTool } from './rules/unknown-tool.ts';
import { unusedParameter } from './rules/unused-parameter.ts';
import type { LintRule, RuleText } from './types.ts';

/** The rules that look at playbooks. */
export const LINT_RULES: readonly LintRule[] = [
  nameForm,
  descriptionWhat,
  descriptionWhen,
  longBody,
  missingVerification,
  unfilledTemplate,
  misspelledField,
  brokenReference,
  ambiguousReference,
  missingFile,
  deprecatedReference,
  referenceCycle,
  orphan,
  duplicate,
  duplicateName,
  unknownTool,
  undeclaredParameter,
  unusedParameter,
  secret,
  hiddenUnicode,
  overrideInstructions,
  finalNewline,
];

/** Every rule that there is, sorted by id: those above, what loading reports, and those about lint itself. */
export const ALL_RULES: readonly RuleText[] = [...LINT_RULES, ...REPORTED, ...DIRECTIVE_RULES].toSorted((a, b) =>
  a.id < b.id ? -1 : 1,
);
