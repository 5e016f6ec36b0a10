import { basename } from 'node:path';

import { type CommandConfig, nearestWord } from '../../config/index.ts';
import type { Diagnostic } from '../../model.ts';
import { namesInBraces } from './argv.ts';

/** What is wrong with a command; one with an `error` must not be run. */
export function checkCommand(config: CommandConfig): readonly Diagnostic[] {
  const { name, command, parameters, at } = config;
  const declared = parameters.map((parameter) => parameter.name);
  const used = command.flatMap(namesInBraces);
  const isParameter = (word: string): boolean => declared.includes(word);
  const found: Omit<Diagnostic, 'path' | 'line' | 'column'>[] = [];
  const [program = ''] = command;
  if (namesInBraces(program).some(isParameter)) {
    found.push({
      rule: 'command-program-parameter',
      severity: 'error',
      message: `Command \`${name}\` lets its caller choose the program; it is off.`,
      hint: 'Write the program as it is, and parameters only in the items after it.',
    });
  }
  if (holdsParameterInScript(command, isParameter)) {
    found.push({
      rule: 'command-shell-parameter',
      severity: 'error',
      message: `Command \`${name}\` puts a parameter into the text of a shell, where any value can run anything; it is off.`,
      hint: 'Write "$1" in the text, and after it the items "sh" and "{parameter}".',
    });
  }
  for (const word of declared.filter((each) => !used.includes(each))) {
    found.push({
      rule: 'command-unused-parameter',
      severity: 'warning',
      message: `Command \`${name}\` declares \`${word}\` and never uses it.`,
      hint: `Write {${word}} where its value belongs.`,
    });
  }
  for (const word of used.filter((each) => !isParameter(each))) {
    const nearest = nearestWord(word, declared);
    // Without a parameter of a like name it is rather text of the program's own, such as `awk '{print}'`.
    if (nearest === undefined) continue;
    found.push({
      rule: 'command-unknown-parameter',
      severity: 'warning',
      message: `Command \`${name}\` uses {${word}}, which is no parameter of it and stays as it is.`,
      hint: `Did you mean {${nearest}}?`,
    });
  }
  return found.map((problem) => ({ ...at, ...problem }));
}

const SHELLS = /^(?:(?:ba|da|z|k|fi)?sh|cmd|powershell|pwsh)(?:\.exe)?$/i;
/** `-c`, also among other letters (`-euc`), `/c`, `-Command`. */
const SCRIPT_FLAG = /^(?:-[a-z]*c|\/[ck]|-command|-encodedcommand)$/i;

function holdsParameterInScript(command: readonly string[], isParameter: (name: string) => boolean): boolean {
  const shell = command.findIndex((item) => SHELLS.test(basename(item)));
  if (shell === -1) return false;
  const flag = command.findIndex((item, index) => index > shell && SCRIPT_FLAG.test(item));
  return flag !== -1 && namesInBraces(command[flag + 1] ?? '').some(isParameter);
}
