import type { Connection } from './connection.ts';
import type { CachedDefinitions } from './definition-cache.ts';
import { readDefinitions } from './definitions.ts';
import { readPrompts } from './prompts.ts';

/**
 * What a server offers now: its tools, prompts and what it says about itself. Prompts that cannot be listed must not cost anybody
 * the tools.
 *
 * @throws the SDK's errors, where the tools cannot be listed.
 */
export async function listPrimitives(
  connection: Connection,
  { signal, onPromptsFailed }: { readonly signal: AbortSignal; readonly onPromptsFailed: (error: unknown) => void },
): Promise<Omit<CachedDefinitions, 'era' | 'eraFoundAt'>> {
  const definitions = readDefinitions(await connection.listTools(signal));
  const { instructions, hasResources } = connection;
  const prompts = await connection.listPrompts(signal).catch((error: unknown) => {
    onPromptsFailed(error);
    return [];
  });
  return {
    definitions,
    ...(prompts.length > 0 && { prompts: readPrompts(prompts) }),
    ...(instructions !== undefined && { instructions }),
    ...(hasResources && { hasResources }),
  };
}
