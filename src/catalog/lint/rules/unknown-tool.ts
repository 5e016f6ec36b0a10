import { closestIds } from '../../closest.ts';
import type { LintRule } from '../types.ts';

/** `server__tool`; Claude Code writes `mcp__server__tool`. Other names are tools of some host, of which nothing is known here. */
const WRAPPED = /^(?:mcp__)?([A-Za-z0-9_-]+?)__[A-Za-z0-9_-]+$/;

export const unknownTool: LintRule = {
  id: 'unknown-tool',
  severity: 'warning',
  summary: 'An entry of `tools` names a tool that its server does not have.',
  why: 'The agent looks for a tool that does not exist.',
  mend: 'Correct the id. Only tools of servers that are configured here, and have been started once, are checked; what was not checked is said.',
  check: ({ playbook, locate }, { catalog, listedServers, note }) =>
    playbook.tools.flatMap((written, index) => {
      const id = written.replace(/^mcp__/, '');
      const server = WRAPPED.exec(written)?.[1];
      if (server === undefined || catalog.byId.has(id) || catalog.quarantined.has(id)) return [];
      if (!listedServers.has(server)) {
        note(`Tools of "${server}" were not checked: they are not known here.`);
        return [];
      }
      const [closest] = closestIds(
        catalog.entries.flatMap((entry) => (entry.kind === 'tool' ? [entry.id] : [])),
        id,
      );
      return [
        {
          ...locate(['tools', index]),
          message: `There is no tool "${written}" in the server "${server}".`,
          hint: closest === undefined ? '`playbook-mcp tools` lists what there is.' : `Did you mean ${closest}?`,
        },
      ];
    }),
};
