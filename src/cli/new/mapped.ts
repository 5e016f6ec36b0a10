import type { Playbook } from '../../model.ts';

/** What a converted playbook's fields are to us, a line each. */
export function mappedFields(playbook: Playbook): readonly string[] {
  const { tags, parameters, examples, hasShellStyleArguments, extra } = playbook;
  const unknown = Object.keys(extra);
  return [
    ...(tags.length > 0 ? [`tags: ${tags.join(', ')}`] : []),
    ...(parameters.length > 0 ? [`parameters: ${parameters.map(({ name }) => name).join(', ')}`] : []),
    ...(hasShellStyleArguments ? ['$ARGUMENTS, $1 and $name in its body are replaced'] : []),
    ...(examples.length > 0 ? [`examples: ${examples.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`kept, without a meaning here: ${unknown.join(', ')}`] : []),
  ];
}
