import type { ErrorObject } from 'ajv';

import { closestIds } from '../catalog/closest.ts';
import { settleAlternatives } from './alternatives.ts';
import { describeSchema, propertyNames, propertySchema } from './describe-schema.ts';
import { isJsonObject } from '../model.ts';

/** One field at fault. */
export interface ArgumentProblem {
  /** `title`, `labels[0].name`; `''` for the arguments as a whole. */
  readonly path: string;
  /** What is wrong with it, to stand behind its path: `is required`. */
  readonly message: string;
  /** What would be right: `integer from 1 to 100`. */
  readonly expected: string;
}

/** Every field at fault once for each fault, in the order in which a schema is checked. */
export function toProblems(errors: readonly ErrorObject[]): readonly ArgumentProblem[] {
  const problems = settleAlternatives(errors).flatMap((error) => toProblem(error) ?? []);
  const distinct = new Map(problems.map((problem) => [`${problem.path}\0${problem.message}`, problem]));
  return [...distinct.values()];
}

function toProblem(error: ErrorObject): ArgumentProblem | undefined {
  const { keyword, instancePath, parentSchema, params, propertyName } = error;
  // A fault of a property's name: `propertyNames` is reported for it as well.
  if (propertyName !== undefined) return undefined;
  const path = toPath(instancePath);
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
    case 'dependencies':
      return missing(error, path);
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return unknown(error, path);
    case 'type':
      return { path, message: `is ${kindOf(error.data)}`, expected: describeSchema(parentSchema) };
    case 'enum':
    case 'const':
      return { path, message: 'is not a value that it can have', expected: describeSchema(parentSchema) };
    case 'anyOf':
      return { path, message: 'fits none of the forms that it can have', expected: describeSchema(parentSchema) };
    case 'oneOf': {
      const fits = params['passingSchemas'] === null ? 'none' : 'more than one';
      return { path, message: `fits ${fits} of the forms that it can have`, expected: describeSchema(parentSchema) };
    }
    case 'propertyNames': {
      const name = String(params['propertyName']);
      return {
        path: join(path, name),
        message: 'has a name that no field may have',
        expected: describeSchema(error.schema),
      };
    }
    case 'false schema':
      return { path, message: 'cannot be given here', expected: 'nothing' };
    case 'if':
      // What `then` or `else` found is listed by itself.
      return undefined;
    default:
      return { path, message: error.message ?? `does not fit "${keyword}"`, expected: describeSchema(parentSchema) };
  }
}

function missing(error: ErrorObject, parent: string): ArgumentProblem {
  const name = String(error.params['missingProperty']);
  const given = isJsonObject(error.data) ? Object.keys(error.data) : [];
  const declared = new Set(propertyNames(error.parentSchema));
  const [mistaken] = closestIds(
    given.filter((key) => !declared.has(key)),
    name,
  );
  return {
    path: join(parent, name),
    message: mistaken === undefined ? 'is required' : `is required; did you mean it by "${mistaken}"?`,
    expected: describeSchema(propertySchema(error.parentSchema, name)),
  };
}

function unknown(error: ErrorObject, parent: string): ArgumentProblem {
  const name = String(error.params['additionalProperty'] ?? error.params['unevaluatedProperty']);
  const declared = propertyNames(error.parentSchema);
  const [closest] = closestIds(declared, name);
  return {
    path: join(parent, name),
    message: closest === undefined ? 'is unknown' : `is unknown; did you mean "${closest}"?`,
    expected: declared.length === 0 ? 'no field of another name' : `one of ${declared.join(', ')}`,
  };
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'a number' : 'a number with a fraction';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function toPath(pointer: string): string {
  const segments = pointer.split('/').slice(1);
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~')).reduce(join, '');
}

function join(parent: string, segment: string): string {
  if (/^\d+$/.test(segment)) return `${parent}[${segment}]`;
  if (!/^[\w$-]+$/.test(segment)) return `${parent}[${JSON.stringify(segment)}]`;
  return parent === '' ? segment : `${parent}.${segment}`;
}
