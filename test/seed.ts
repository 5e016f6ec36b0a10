import type { Playbook, Source, WrappedTool } from '../src/model.ts';
import { parsePlaybook } from '../src/playbooks/parse.ts';

/** A source for seeds; trusted and central unless said otherwise. */
export function source(name: string, overrides: Partial<Source> = {}): Source {
  return { name, kind: 'central', label: name, folders: [`/${name}`], isTrusted: true, ...overrides };
}

/** Playbooks from a map of path below the source's root → text, as the loader would read them. */
export function seed(files: Readonly<Record<string, string>>, from: Source = source('central')): readonly Playbook[] {
  const skills = Object.keys(files).filter((path) => /(^|\/)SKILL\.md$/.test(path));
  return Object.entries(files).flatMap(([path, content]) => {
    if (!path.endsWith('.md')) return [];
    const isSkill = skills.includes(path);
    const folder = path.replace(/\/?SKILL\.md$/, '');
    const outcome = parsePlaybook({
      source: from,
      path: `${from.folders[0]}/${path}`,
      realPath: `${from.folders[0]}/${path}`,
      id: isSkill ? folder : path.replace(/\.md$/, ''),
      shape: isSkill ? 'folder' : 'file',
      bytes: new TextEncoder().encode(content),
      supportingFiles: isSkill
        ? Object.keys(files)
            .filter((other) => other !== path && other.startsWith(`${folder}/`))
            .map((other) => other.slice(folder.length + 1))
        : [],
    });
    return outcome.kind === 'playbook' ? [outcome.playbook] : [];
  });
}

/** The text of a playbook with a description, any other front matter lines, and a body. */
export function text(description: string, body = 'Body.', frontMatter = ''): string {
  return `---\ndescription: ${description}\n${frontMatter === '' ? '' : `${frontMatter}\n`}---\n${body}\n`;
}

export function tool(id: string, overrides: Partial<WrappedTool> = {}): WrappedTool {
  const [server = 'server', name = id] = id.split('__');
  return {
    id,
    server,
    tool: name,
    name,
    description: `Does ${name}.`,
    tags: [],
    inputSchema: { type: 'object' },
    annotations: {},
    digest: id,
    ...overrides,
  };
}
