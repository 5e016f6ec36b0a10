/** `npm run docs:rules`: writes a page for each lint rule and their index to `docs/rules/`; a test fails where they are stale. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ALL_RULES } from '../src/catalog/lint/rules.ts';
import type { RuleText } from '../src/catalog/lint/types.ts';

const folder = fileURLToPath(new URL('../docs/rules', import.meta.url));

/** File name → text of every page. */
export function rulePages(): ReadonlyMap<string, string> {
  return new Map([['README.md', indexPage()], ...ALL_RULES.map((rule) => [`${rule.id}.md`, rulePage(rule)] as const)]);
}

function indexPage(): string {
  const rows = ALL_RULES.map(({ id, severity, summary, isFixable }) => {
    const fix = isFixable === true ? 'yes' : '';
    return `| [\`${id}\`](${id}.md) | ${severity} | ${fix} | ${summary.replaceAll('|', '\\|')} |`;
  });
  return `# Lint rules

\`playbook-mcp lint\` checks playbooks by these rules. A configuration sets how loudly each speaks (\`error\`, \`warning\`, \`info\`, \`off\`), the
repository's \`.playbooks/config.json\` over the person's, and \`--rule id=level\` over both:

\`\`\`json
{ "lint": { "rules": { "long-body": "info", "name-form": "off" } } }
\`\`\`

One case is disabled in the file itself, with its reason: the first form for the next line, the second for the whole file. In front matter the
comment is one of YAML, \`# playbook-lint-disable-next-line …\`.

\`\`\`markdown
<!-- playbook-lint-disable-next-line secret -- the vendor's public demo key -->
<!-- playbook-lint-disable long-body -- a reference, read in sections -->
\`\`\`

| rule | severity | \`--fix\` | reports |
|---|---|---|---|
${rows.join('\n')}
`;
}

function rulePage({ id, severity, summary, why, mend, isFixable }: RuleText): string {
  return `# ${id}

${summary}

Severity: **${severity}**${isFixable === true ? '; `playbook-mcp lint --fix` mends it' : ''}.

## Why

${why}

## How to mend it

${mend}

[All rules, and how to configure or disable one](README.md)
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(folder, { recursive: true });
  const pages = rulePages();
  for (const name of readdirSync(folder)) if (!pages.has(name)) rmSync(join(folder, name));
  for (const [name, text] of pages) writeFileSync(join(folder, name), text);
}
