import type { LintRule } from '../types.ts';
import { nameFromId } from '../../../playbooks/name-from-id.ts';

const MAX_CHARACTERS = 64;
/** Lower-case letters of any script, digits, single hyphens between them. */
const FORM = /^[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*$/u;

/** @see https://agentskills.io/specification, `name` */
export const nameForm: LintRule = {
  id: 'name-form',
  needs: 'fields',
  severity: 'info',
  summary:
    'The name is not of the form that Agent Skills asks for: lower-case words with hyphens, at most 64 characters, the same as the skill’s folder.',
  why: 'Clients that read skills without playbook-mcp refuse other names, or show the skill under its folder’s name.',
  mend: 'Write the name in lower case with hyphens, and give a skill’s folder the same name.',
  check: ({ playbook, locate }) => {
    const { name, shape, id } = playbook;
    const place = locate(['name']);
    const folder = nameFromId(id);
    const isFormed = FORM.test(name) && name === name.toLowerCase();
    if (!isFormed || Array.from(name).length > MAX_CHARACTERS) {
      return [{ ...place, message: `The name "${name}" is not made of lower-case words with hyphens.` }];
    }
    if (shape !== 'folder' || name === folder.normalize('NFC') || id === playbook.source.name) return [];
    return [{ ...place, message: `The name "${name}" differs from the skill's folder "${folder}".` }];
  },
};
