import { createInterface } from 'node:readline/promises';
import { PlaybookError } from '../../errors.ts';
import { splitCommas } from '../../playbooks/coerce.ts';
import type { NewOptions } from './flags.ts';

/**
 * Asks on the terminal for what was not said by flags: description, tags, owner and a query that should find it.
 *
 * @throws PlaybookError `cli/usage` where nobody can be asked, or nothing is answered.
 */
export async function askMissing(options: NewOptions): Promise<NewOptions> {
  if (options.description !== undefined) return options;
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw noDescription();
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const aborted = new AbortController();
  // The end of the input, or Ctrl-C, would otherwise leave the question unanswered for ever.
  terminal.once('close', () => aborted.abort());
  const ask = async (question: string): Promise<string> =>
    (await terminal.question(`${question}: `, { signal: aborted.signal })).trim();
  try {
    const description = await ask('What it does and when to use it ("Roll back a release. Use when …")');
    if (description === '') throw noDescription();
    const tag = options.tag.length > 0 ? options.tag : splitCommas(await ask('Tags, as domain:deploy, action:undo'));
    const owner = options.owner ?? (await ask('Owner, a team or person (may be left out)'));
    const example = options.example.length > 0 ? options.example : [await ask('What would somebody type who needs it')];
    const given = { ...options, description, tag, example: example.filter((each) => each !== '') };
    return owner === '' ? given : { ...given, owner };
  } catch (error) {
    if (aborted.signal.aborted) throw noDescription();
    throw error;
  } finally {
    terminal.close();
  }
}

function noDescription(): PlaybookError {
  return new PlaybookError('cli/usage', 'A playbook needs a description, so that agents can find it.', {
    hint: 'Give --description "What it does. Use when …".',
  });
}
