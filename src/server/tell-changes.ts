import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { isOfScheme, PLAYBOOK_SCHEME, SKILL_SCHEME } from './resource-uris.ts';
import type { ChangeFollower, FollowChanges, ListedChange, SurfaceOptions } from './surface.ts';

interface TellOptions extends Pick<SurfaceOptions, 'isModern' | 'surface'> {
  readonly roots: ChangeFollower['roots'];
  readonly followChanges: FollowChanges;
}

/**
 * Tells the client of a connection what has changed: one of the 2025 era whatever is listed, and what it has subscribed to; later
 * ones what they listen to, which the SDK selects.
 */
export function tellChanges({ server }: McpServer, { isModern, surface, roots, followChanges }: TellOptions): void {
  const subscribed = new Set<string>();
  const tell = ({ resources, prompts, updated }: ListedChange): void => {
    // A connection that has just ended takes no more.
    const send = (notification: () => Promise<void>): void => void notification().catch(() => undefined);
    if (resources) send(() => server.sendResourceListChanged());
    if (prompts) send(() => server.sendPromptListChanged());
    for (const uri of updated) if (isModern || subscribed.has(uri)) send(() => server.sendResourceUpdated({ uri }));
  };
  let stop = (): void => undefined;
  const begin = (): void => {
    stop();
    stop = followChanges({ roots, tell });
  };
  const { onclose } = server;
  server.onclose = () => {
    onclose?.();
    stop();
  };
  if (isModern) return begin();
  // Before that, a client of the 2025 era has not said whether it has roots.
  server.oninitialized = begin;
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    if (!isOurs(uri)) throw notFollowed(uri);
    // Playbooks are followed from when they are first loaded.
    await surface();
    subscribed.add(uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscribed.delete(uri);
    return {};
  });
}

function isOurs(uri: string): boolean {
  return [PLAYBOOK_SCHEME, SKILL_SCHEME].some((scheme) => isOfScheme(uri, scheme));
}

function notFollowed(uri: string): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Changes of ${uri} are not followed: only those of ${PLAYBOOK_SCHEME} and ${SKILL_SCHEME} are.`,
  );
}
