/**
 * A map that nearly always has one key, which it keeps without a table: one of those for each of a hundred thousand queries is most of
 * what is held of them, and of what collecting garbage costs. The order is that of insertion, as in a `Map`.
 */
export class SmallMap<Key extends object, Value> {
  #key: Key | undefined;
  #value: Value | undefined;
  #others: Map<Key, Value> | undefined;

  get(key: Key): Value | undefined {
    return this.#key === key ? this.#value : this.#others?.get(key);
  }

  set(key: Key, value: Value): this {
    if (this.#key === undefined || this.#key === key) {
      this.#key = key;
      this.#value = value;
    } else (this.#others ??= new Map<Key, Value>()).set(key, value);
    return this;
  }

  /** Without a list of what there is, which is made for the others: there may be a hundred thousand of these. */
  forEach(visit: (value: Value, key: Key) => void): void {
    if (this.#key === undefined || this.#value === undefined) return;
    visit(this.#value, this.#key);
    this.#others?.forEach(visit);
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
    const pairs: (readonly [Key, Value])[] = [];
    this.forEach((value, key) => pairs.push([key, value]));
    return pairs;
  }
}
