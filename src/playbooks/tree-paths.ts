/** Steps from the root of the front matter to a value: keys of maps, indexes of lists. */
export type FieldPath = readonly PropertyKey[];

/** The longest beginning of a path at which there is a value. */
export function existingPart(root: unknown, path: FieldPath): FieldPath {
  let value = root;
  for (const [depth, step] of path.entries()) {
    const child = childOf(value, step);
    if (child === undefined) return path.slice(0, depth);
    value = child;
  }
  return path;
}

/** The same data without the values at some paths: keys go, items of a list become undefined so that the others keep their index. */
export function without(root: unknown, paths: readonly FieldPath[]): unknown {
  return copy(root, [], new Set(paths.map(keyOf)));
}

/** A path as people write it: `parameters[0].type`. */
export function pathText(path: FieldPath): string {
  return path
    .map((step, depth) => (typeof step === 'number' ? `[${step}]` : `${depth > 0 ? '.' : ''}${String(step)}`))
    .join('');
}

function copy(value: unknown, path: FieldPath, removed: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => {
      const itemPath = [...path, index];
      return removed.has(keyOf(itemPath)) ? undefined : copy(item, itemPath, removed);
    });
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, child]: [string, unknown]) => {
      const childPath = [...path, key];
      return removed.has(keyOf(childPath)) ? [] : [[key, copy(child, childPath, removed)]];
    }),
  );
}

function childOf(value: unknown, step: PropertyKey): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return Reflect.get(value, step);
}

function keyOf(path: FieldPath): string {
  return JSON.stringify(path.map(String));
}
