import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { PlaybookError } from '../errors.ts';
import { complete } from './completion.ts';
import { listPrompts } from './prompts.ts';
import type { CallOrigin } from './recorded-calls.ts';
import { getPromptRecorded, readRecorded } from './recorded-reads.ts';
import { listResources } from './resources.ts';
import type { Runtime } from './runtime.ts';
import { getSkill, listSkills, readDirectory } from './skills.ts';
import type { Snapshot } from './snapshot.ts';
import type { Reader, Surface } from './surface.ts';

/**
 * Everything that a client lists and reads besides tools, of the snapshot of whoever asks; what is read is recorded.
 * @param originOf whose piece of work a reading belongs to.
 */
export function openSurface(runtime: Runtime, originOf: (reader: Reader) => CallOrigin): Surface {
  const seen = ({ roots, access }: Reader): Promise<Snapshot> => runtime.snapshot(undefined, roots, access);
  return {
    listResources: ({ cursor }, reader) => answer(async () => listResources(await seen(reader), cursor)),
    readResource: (uri, reader) => answer(() => readRecorded(runtime, uri, { reader, ...originOf(reader) }), uri),
    listPrompts: ({ cursor }, reader) => answer(async () => listPrompts(await seen(reader), cursor)),
    getPrompt: (request, reader) => answer(() => getPromptRecorded(runtime, request, { reader, ...originOf(reader) })),
    complete: (request, reader) => answer(async () => complete(await seen(reader), request)),
    listSkills: ({ cursor }, reader) =>
      answer(async () => {
        const { items, ...rest } = await listSkills(await seen(reader), cursor);
        return { skills: items, ...rest };
      }),
    getSkill: (uri, reader) => answer(async () => ({ skill: await getSkill(await seen(reader), uri) })),
    readDirectory: (uri, { cursor }, reader) =>
      answer(async () => {
        const { items, ...rest } = readDirectory(await seen(reader), uri, cursor);
        return { resources: items, ...rest };
      }),
  };
}

/** A failure that the caller can mend, as the protocol tells it: only tools have results that are errors. */
async function answer<T>(give: () => Promise<T>, uri?: string): Promise<T> {
  try {
    return await give();
  } catch (error) {
    if (!(error instanceof PlaybookError)) throw error;
    const message = [error.message, error.hint].filter(Boolean).join(' ');
    if (isOfUpstream(error)) throw new ProtocolError(ProtocolErrorCode.InternalError, message);
    if (uri !== undefined) throw new ResourceNotFoundError(uri, message);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  }
}

/** Whether an upstream server is to blame, and not what was asked for. */
function isOfUpstream({ code }: PlaybookError): boolean {
  return code.startsWith('tools/') && code !== 'tools/unknown-resource' && code !== 'tools/invalid-arguments';
}
