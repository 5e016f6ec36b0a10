import type { ErrorObject } from 'ajv';

import { isJsonObject } from '../model.ts';

/**
 * Ajv reports every fault of every form that `anyOf` or `oneOf` allows, then that none fitted. This leaves what helps: the
 * faults of the one form that was meant, where only one comes near, and else only that none fitted.
 */
export function settleAlternatives(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  let settled: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      const isOfForm = (earlier: ErrorObject): boolean => formOf(earlier, error) !== undefined;
      const ofForms = settled.filter(isOfForm);
      settled = settled.filter((earlier) => !isOfForm(earlier));
      settled.push(...(faultsOfMeantForm(ofForms, error) ?? [error]));
    } else {
      settled.push(error);
    }
  }
  return settled;
}

function faultsOfMeantForm(
  faults: readonly ErrorObject[],
  alternative: ErrorObject,
): readonly ErrorObject[] | undefined {
  const faulty = [...new Set(faults.map((fault) => formOf(fault, alternative)))];
  const byForm = faulty.map((form) => faults.filter((fault) => formOf(fault, alternative) === form));
  const near = byForm.filter((ofForm) => !ofForm.some((fault) => isOtherKind(fault, alternative)));
  return near.length === 1 ? near[0] : undefined;
}

/** Index of the form whose fault this is; undefined where it is not one of the alternative's. */
function formOf(fault: ErrorObject, alternative: ErrorObject): number | undefined {
  if (!fault.instancePath.startsWith(alternative.instancePath)) return undefined;
  const prefix = `${alternative.schemaPath}/`;
  if (fault.schemaPath.startsWith(prefix)) return Number.parseInt(fault.schemaPath.slice(prefix.length), 10);
  // A form that is a `$ref` reports its faults under the path of what it refers to.
  const forms: readonly unknown[] = Array.isArray(alternative.schema) ? alternative.schema : [];
  const index = forms.findIndex((form) => {
    const target = isJsonObject(form) ? form['$ref'] : undefined;
    return typeof target === 'string' && fault.schemaPath.startsWith(`${target}/`);
  });
  return index === -1 ? undefined : index;
}

/** Whether the fault shows that another form was meant: the whole is of another type, or a field that tells the forms apart says so. */
function isOtherKind(fault: ErrorObject, alternative: ErrorObject): boolean {
  const below = fault.instancePath.slice(alternative.instancePath.length);
  if (fault.keyword === 'type') return below === '';
  return fault.keyword === 'const' && below.lastIndexOf('/') <= 0;
}
