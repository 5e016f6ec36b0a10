import type { Catalog } from '../catalog.ts';

/** A function of a catalog that is computed once a catalog: a catalog never changes, and every file of a run asks. */
export function oncePerCatalog<Value>(make: (catalog: Catalog) => Value): (catalog: Catalog) => Value {
  const known = new WeakMap<Catalog, { readonly value: Value }>();
  return (catalog) => {
    const made = known.get(catalog) ?? { value: make(catalog) };
    known.set(catalog, made);
    return made.value;
  };
}
