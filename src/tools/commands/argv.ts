import type { CommandConfig } from '../../config/index.ts';
import { PlaybookError } from '../../errors.ts';
import type { JsonObject, Parameter } from '../../model.ts';
import { valueText } from '../../playbooks/parameters.ts';

/** A parameter within an item of a command: `{path}`, `--depth={depth}`. Other braces are text (`awk '{print}'`). */
const PLACEHOLDER = /\{([A-Za-z_][A-Za-z0-9_-]*)\}/g;

/** Names in braces within an item, declared or not, in order. */
export function namesInBraces(item: string): readonly string[] {
  return [...item.matchAll(PLACEHOLDER)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}

type ArgvParts = Pick<CommandConfig, 'command' | 'parameters'>;

/**
 * Program and arguments of one call. An item without parameters stays as it is; one whose parameters are all absent (and have
 * no default) is left out; one that is exactly an array parameter becomes an item for each value; within an item an array is
 * joined by commas, and what is absent is empty.
 *
 * A value never becomes an option by accident: where the item does not begin with `-` as it is written, what it becomes may
 * not either, unless an item `--` stands before it, the value is a number, or its parameter's `enum` has it.
 * @throws PlaybookError `tools/invalid-arguments`.
 */
export function fillArgv({ command, parameters }: ArgvParts, args: JsonObject): readonly string[] {
  const declared = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  const endOfOptions = command.indexOf('--');
  return command.flatMap((item, index) => {
    const used = namesInBraces(item).flatMap((name) => declared.get(name) ?? []);
    if (used.length === 0) return [item];
    const filled = fillItem(item, used, args);
    const mayBeOption = item.startsWith('-') || (endOfOptions !== -1 && endOfOptions < index);
    for (const { text, isHarmless } of filled) {
      if (text.includes('\0')) throw refused(used, 'it holds a NUL character, which no argument can');
      if (text.startsWith('-') && !mayBeOption && !isHarmless) throw refused(used, WHY_NO_OPTION);
    }
    return filled.map(({ text }) => text);
  });
}

interface FilledItem {
  readonly text: string;
  /** Whether the author has foreseen the value, so that it may begin with `-`. */
  readonly isHarmless: boolean;
}

function fillItem(item: string, used: readonly Parameter[], args: JsonObject): readonly FilledItem[] {
  if (used.every((parameter) => valuesOf(parameter, args).length === 0)) return [];
  const [only] = used;
  if (only !== undefined && item === `{${only.name}}`) {
    return valuesOf(only, args).map((value) => ({
      text: valueText(value),
      isHarmless: typeof value === 'number' || only.enum?.includes(value) === true,
    }));
  }
  const byName = new Map(used.map((parameter) => [parameter.name, parameter]));
  const text = item.replaceAll(PLACEHOLDER, (written, name: string) => {
    const parameter = byName.get(name);
    return parameter === undefined ? written : valuesOf(parameter, args).map(valueText).join(',');
  });
  return [{ text, isHarmless: false }];
}

function valuesOf({ name, default: fallback }: Parameter, args: JsonObject): readonly unknown[] {
  const value = (Object.hasOwn(args, name) ? args[name] : undefined) ?? fallback;
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

const WHY_NO_OPTION = 'it begins with `-` and would be read as an option';

function refused(used: readonly Parameter[], why: string): PlaybookError {
  const names = used.map(({ name }) => name).join(', ');
  return new PlaybookError('tools/invalid-arguments', `The value of ${names} is refused: ${why}.`, {
    hint: 'Give another value (a file can be written as ./-name). The author of the command can allow it by an item `--` before it.',
  });
}
