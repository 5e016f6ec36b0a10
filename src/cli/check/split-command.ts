import { PlaybookError } from '../../errors.ts';

/**
 * The words of a command as a POSIX shell would split them: blanks between words, quotes around them, a backslash before a character.
 * Nothing is expanded, and `|`, `;`, `$` and the like are plain characters: no shell runs it.
 *
 * @throws PlaybookError `cli/usage` where a quote is not closed or there is no word.
 */
export function splitCommand(written: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < written.length; at += 1) {
    const character = written[at] ?? '';
    const isEscape =
      character === '\\' && quote !== "'" && (quote === undefined || /["\\]/.test(written[at + 1] ?? ''));
    if (isEscape) {
      at += 1;
      word = (word ?? '') + (written[at] ?? '');
    } else if (character === quote) quote = undefined;
    else if (quote === undefined && (character === '"' || character === "'")) {
      quote = character;
      word ??= '';
    } else if (quote === undefined && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (word !== undefined) words.push(word);
  if (quote === undefined && (words[0] ?? '') !== '') return words;
  throw new PlaybookError(
    'cli/usage',
    `"${written}" is no command${quote === undefined ? '' : `: ${quote} is not closed`}.`,
    {
      hint: "Write --reviewer 'claude -p' or --reviewer 'codex exec -'.",
    },
  );
}
