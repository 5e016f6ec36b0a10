const BITS = 32;
const FIRST_WORDS = 4;

/** Gives people numbers from 0, in the order in which they come. */
export class PeopleNumbers {
  readonly #numbers = new Map<number, number>();

  /** @param user as events name them; see `CodedEvent.user` */
  of(user: number): number {
    const known = this.#numbers.get(user);
    if (known !== undefined) return known;
    const added = this.#numbers.size;
    this.#numbers.set(user, added);
    return added;
  }
}

/**
 * A set of people, a bit each: a million events are counted in a hundred thousand sets, which are added up by days, clients and repositories.
 */
export class People {
  #words = new Uint32Array(FIRST_WORDS);

  get size(): number {
    let size = 0;
    for (let word of this.#words) for (; word !== 0; word &= word - 1) size += 1;
    return size;
  }

  /** @param number See `PeopleNumbers`. */
  add(number: number): void {
    const at = Math.floor(number / BITS);
    this.#makeRoom(at + 1);
    this.#words[at] = (this.#words[at] ?? 0) | (1 << (number % BITS));
  }

  addAll(other: People): void {
    this.#makeRoom(other.#words.length);
    for (let at = 0; at < other.#words.length; at += 1) {
      this.#words[at] = (this.#words[at] ?? 0) | (other.#words[at] ?? 0);
    }
  }

  #makeRoom(words: number): void {
    if (words <= this.#words.length) return;
    const larger = new Uint32Array(Math.max(words, 2 * this.#words.length));
    larger.set(this.#words);
    this.#words = larger;
  }
}
