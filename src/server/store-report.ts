import { fileURLToPath } from 'node:url';
import { resolveAddress } from '../catalog/lookup.ts';
import { PlaybookError } from '../errors.ts';
import type { CallOptions } from '../tools/provider.ts';
import type { GivenReport } from '../tools/playbook-reports.ts';
import { newEventId } from '../usage/event-id.ts';
import { withoutNul } from '../usage/call-record.ts';
import type { Snapshot } from './snapshot.ts';
import type { Usage } from './usage.ts';

/** What a report needs of the runtime. */
export interface ReportSetting {
  readonly usage: Usage;
  readonly snapshot: (workspace?: string) => Promise<Snapshot>;
}

/**
 * Stores what an agent says is wrong in a playbook, with the digest of the text that it is about. @returns thanks, and where it went.
 * @throws PlaybookError `catalog/unknown-id`, `catalog/ambiguous-id`, `usage/off`, `usage/unavailable`.
 */
export async function storeReport(
  { usage, snapshot: snapshotOf }: ReportSetting,
  given: GivenReport,
  { roots: [root] = [], client = null, user }: CallOptions,
): Promise<string> {
  const snapshot = await snapshotOf(root === undefined ? undefined : fileURLToPath(root));
  const address = resolveAddress(snapshot.catalog, given.id);
  const { entry } = address;
  if (entry.kind === 'tool') {
    throw new PlaybookError('catalog/unknown-id', `${entry.id} is a tool, and reports are about playbooks.`, {
      hint: 'Tell the person whom you work for what is wrong with the tool.',
    });
  }
  const time = Date.now();
  const step = given.step ?? (address.kind === 'section' ? `#${address.heading}` : null);
  const place = await usage.report(
    {
      id: newEventId(time),
      time,
      entry: entry.qualifiedId,
      digest: entry.digest,
      step: step === null ? null : withoutNul(step),
      problem: withoutNul(given.problem),
      client,
      ...(user !== undefined && { user }),
    },
    entry.playbook.source.kind === 'workspace' ? snapshot.workspace : undefined,
  );
  // Where the server keeps it is nothing to callers on other machines.
  const where = snapshot.isRemote ? '' : ` in ${place}`;
  const owner = entry.playbook.owner === undefined ? '' : ` (its owner: ${entry.playbook.owner})`;
  return [
    `Thank you. The report about ${entry.id}${step === null ? '' : `, step ${step},`} is stored${where}, where whoever looks after the playbooks${owner} sees it.`,
    'The playbook itself is not changed: go on with what you found to be right.',
  ].join(' ');
}
