import { describe, expect, it } from 'vitest';
import { splitCommand } from '../../../src/cli/check/split-command.ts';

describe('a command that is split without a shell', () => {
  it.each([
    { written: 'claude -p', words: ['claude', '-p'] },
    { written: '  codex   exec - ', words: ['codex', 'exec', '-'] },
    { written: `my\\ agent "a b" 'c "d"' "e \\"f\\" \\n"`, words: ['my agent', 'a b', 'c "d"', 'e "f" \\n'] },
    { written: `a '' ""`, words: ['a', '', ''] },
    { written: 'a $HOME; rm | b > c', words: ['a', '$HOME;', 'rm', '|', 'b', '>', 'c'] },
  ])('reads $written', ({ written, words }) => {
    expect(splitCommand(written)).toEqual(words);
  });

  it.each(['', '  ', 'a "b', "a 'b"])('refuses %j', (written) => {
    expect(() => splitCommand(written)).toThrow(/is no command/);
  });
});
