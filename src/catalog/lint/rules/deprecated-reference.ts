import type { Entry } from '../../../model.ts';
import { placeOfTarget, referencesOf } from '../reference-places.ts';
import type { LintFinding, LintRule } from '../types.ts';

export const deprecatedReference: LintRule = {
  id: 'deprecated-reference',
  severity: 'warning',
  summary: 'A playbook in use refers to one, or to a tool, that is deprecated or retired.',
  why: 'Agents are led to what should not be used any more; a retired playbook is refused.',
  mend: 'Refer to its replacement, or take the reference out.',
  check: (file, { catalog }) => {
    const { entry, playbook } = file;
    if (isOld(entry)) return [];
    const linked = referencesOf(catalog, playbook).flatMap((reference) =>
      reference.kind === 'playbook' && isOld(reference.entry)
        ? [{ ...placeOfTarget(file, reference.target), ...saying(reference.entry) }]
        : [],
    );
    const tools = playbook.tools.flatMap((id, index) => {
      const tool = catalog.byId.get(id);
      return tool !== undefined && isOld(tool) ? [{ ...file.locate(['tools', index]), ...saying(tool) }] : [];
    });
    return [...linked, ...tools];
  },
};

function isOld({ status }: Entry): boolean {
  return status === 'deprecated' || status === 'retired';
}

function saying({ id, status, deprecation }: Entry): Pick<LintFinding, 'message' | 'hint'> {
  const replacement = deprecation?.replacedBy;
  return {
    message: `${id} is ${status}.`,
    hint:
      replacement === undefined ? 'Take the reference out, or find what replaces it.' : `Use ${replacement} instead.`,
  };
}
