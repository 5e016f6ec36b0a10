import type { ConfirmPolicy } from '../config/index.ts';
import type { WrappedTool } from '../model.ts';

/**
 * Whether a tool destroys: its author says so, or says nothing while its name or a rule makes it `action:delete`.
 *
 * The protocol's default for a tool without annotations is "destructive"; most servers annotate nothing, and if every one of
 * their tools counted, nobody would read the question any more.
 */
export function isDestructive({ annotations, tags }: Pick<WrappedTool, 'annotations' | 'tags'>): boolean {
  if (annotations.readOnlyHint === true) return false;
  return annotations.destructiveHint ?? tags.includes('action:delete');
}

/** Whether a call of the tool must be confirmed. Under `write` silence counts as in the protocol: the tool may change things. */
export function mustConfirm(tool: Pick<WrappedTool, 'annotations' | 'tags'>, policy: ConfirmPolicy): boolean {
  switch (policy) {
    case 'destructive':
      return isDestructive(tool);
    case 'write':
      return tool.annotations.readOnlyHint !== true;
    case 'never':
      return false;
  }
}
