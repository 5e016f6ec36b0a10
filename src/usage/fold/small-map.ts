/**
 * A map that nearly always has one key, which it keeps without a table: one of those for each of a hundred thousand queries is most of
 * what is held of them, and of what collecting garbage costs. The order is that of insertion, as in a `Map`.
 */
export class SmallMap<Key extends object, Value> {
  #first: readonly [Key, Value] | undefined;
  #others: Map<Key, Value> | undefined;

  get(key: Key): Value | undefined {
    return this.#first?.[0] === key ? this.#first[1] : this.#others?.get(key);
  }

  set(key: Key, value: Value): this {
    if (this.#first === undefined || this.#first[0] === key) this.#first = [key, value];
    else (this.#others ??= new Map<Key, Value>()).set(key, value);
    return this;
  }

  keys(): readonly Key[] {
    return this.#pairs().map(([key]) => key);
  }

  values(): readonly Value[] {
    return this.#pairs().map(([, value]) => value);
  }

  [Symbol.iterator](): Iterator<readonly [Key, Value]> {
    return this.#pairs()[Symbol.iterator]();
  }

  #pairs(): readonly (readonly [Key, Value])[] {
    if (this.#first === undefined) return [];
    return this.#others === undefined ? [this.#first] : [this.#first, ...this.#others];
  }
}
