import type { GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/server';
import { PlaybookError } from '../errors.ts';
import type { FinishedCall } from './call-events.ts';
import { REVIEW_PROMPT } from './prompt-definitions.ts';
import { getPrompt, playbookOfPrompt } from './prompts.ts';
import { type CallOrigin, recorded, type View, viewOf } from './recorded-calls.ts';
import { addressIn, isOfScheme, PLAYBOOK_SCHEME, SKILL_SCHEME } from './resource-uris.ts';
import { readPlaybook, toReadResult } from './resources.ts';
import type { Runtime } from './runtime.ts';
import type { SkillFile } from './skill-files.ts';
import { readSkillFile, skillFileAt } from './skills.ts';
import type { PromptRequest, Reader } from './surface.ts';

interface ReaderInSession extends CallOrigin {
  readonly reader: Reader;
}

/**
 * `resources/read`, recorded: of playbooks and skills with what was read; of upstream servers only that something was, since an
 * address may hold anything.
 *
 * @throws PlaybookError `tools/unknown-resource` and as `readPlaybook`.
 */
export async function readRecorded(
  runtime: Runtime,
  uri: string,
  { reader, ...by }: ReaderInSession,
): Promise<ReadResourceResult> {
  const view = viewOf(runtime, reader);
  const { look } = view;
  const target = await resourceAt(uri, look);
  const id = target.kind === 'upstream' ? undefined : target.id;
  return recorded(runtime, () => readAt(runtime, target, { uri, reader, look }), {
    about: { operation: 'resource', given: { id }, ...aboutReader(reader), ...by },
    view,
  });
}

/** `prompts/get`, recorded: as a use of the playbook that it is, but for the prompt that reviews one. */
export async function getPromptRecorded(
  runtime: Runtime,
  request: PromptRequest,
  { reader, ...by }: ReaderInSession,
): Promise<GetPromptResult> {
  const view = viewOf(runtime, reader);
  const { name } = request;
  const id = name === REVIEW_PROMPT ? undefined : (playbookOfPrompt(await view.look(), name)?.id ?? name);
  return recorded(runtime, () => getPrompt(runtime, request, reader), {
    about: { operation: 'prompt', given: { id }, ...aboutReader(reader), ...by },
    view,
  });
}

function aboutReader({ client, meta }: Reader): Pick<FinishedCall, 'client' | 'traceparent'> {
  return { client, traceparent: meta['traceparent'] };
}

type ResourceTarget =
  | { readonly kind: 'playbook'; readonly id: string }
  | { readonly kind: 'skill'; readonly id: string; readonly found: SkillFile }
  | { readonly kind: 'upstream' };

/**
 * Whose resource a URI is. An upstream server may have skills too, whose URIs we leave to it.
 *
 * @throws PlaybookError `catalog/unknown-id` for one of our scheme that can name nothing.
 */
async function resourceAt(uri: string, look: View['look']): Promise<ResourceTarget> {
  const address = addressIn(uri, PLAYBOOK_SCHEME);
  if (address !== undefined) return { kind: 'playbook', id: address };
  if (isOfScheme(uri, PLAYBOOK_SCHEME))
    throw new PlaybookError('catalog/unknown-id', 'No playbook has such an address.');
  if (addressIn(uri, SKILL_SCHEME) === undefined) return { kind: 'upstream' };
  const found = skillFileAt(await look(), uri);
  return found === undefined ? { kind: 'upstream' } : { kind: 'skill', id: found.owner.id, found };
}

interface ReadContext {
  readonly uri: string;
  readonly reader: Reader;
  readonly look: View['look'];
}

async function readAt(
  runtime: Runtime,
  target: ResourceTarget,
  { uri, reader, look }: ReadContext,
): Promise<ReadResourceResult> {
  switch (target.kind) {
    case 'playbook':
      return readPlaybook(await look(), { uri, address: target.id });
    case 'skill':
      return readSkillFile(target.found, uri);
    case 'upstream':
      return toReadResult(uri, await runtime.readResource(uri, reader));
  }
}
