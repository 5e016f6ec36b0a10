import { withTags } from '../instructions.ts';
import { listedPlaybooks } from '../listed-playbooks.ts';
import { toldTags } from '../remember-tags.ts';
import type { Runtime } from '../runtime.ts';
import type { Access } from '../surface.ts';
import { remoteInstructions } from '../tool-definitions.ts';

interface SharedInstructionsOptions {
  /** What every caller may see, as of now. */
  readonly access: () => Access;
  readonly onError: (error: unknown) => void;
}

/**
 * Gives the instructions that all callers get. They name the tags of what every one of them may see now, and none until the catalog is
 * loaded: those that the last run has left were of everything that it had.
 */
export function sharedInstructions(runtime: Runtime, { access, onError }: SharedInstructionsOptions): () => string {
  let told = remoteInstructions;
  const renew = async (): Promise<void> => {
    const snapshot = await runtime.snapshot(undefined, undefined, access());
    told = withTags(remoteInstructions, toldTags(listedPlaybooks(snapshot)));
  };
  const renewed = (): void => void renew().catch(onError);
  runtime.onChange(renewed);
  renewed();
  return () => told;
}
