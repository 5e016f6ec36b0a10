import type { ResourceTemplateType } from '@modelcontextprotocol/server';

export const PLAYBOOK_TEMPLATE = 'playbook://{+id}';
export const SKILL_TEMPLATE = 'skill://{+path}';

/** The templates of our own, as `resources/templates/list` gives them. */
export const resourceTemplates: readonly ResourceTemplateType[] = [
  {
    uriTemplate: PLAYBOOK_TEMPLATE,
    name: 'playbook',
    title: 'Playbook',
    description: 'A playbook as its author wrote it, or a file of it: id, or id/path/of/file.',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: SKILL_TEMPLATE,
    name: 'skill',
    title: 'Skill',
    description: 'A file of a playbook that is a skill: source/id/SKILL.md.',
  },
];
