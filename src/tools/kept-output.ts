/** Bytes kept of each end of an output. */
const KEPT_BYTES = 512 * 1024;

/** What a program has written to one stream: all of it up to 1 MiB, above that its first and its last 512 KiB. */
export class KeptOutput {
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  readonly #tail: Buffer[] = [];
  #tailBytes = 0;
  #totalBytes = 0;

  get totalBytes(): number {
    return this.#totalBytes;
  }

  get isCut(): boolean {
    return this.#totalBytes > 2 * KEPT_BYTES;
  }

  push(chunk: Buffer): void {
    this.#totalBytes += chunk.length;
    const room = KEPT_BYTES - this.#headBytes;
    const first = chunk.subarray(0, room);
    if (first.length > 0) {
      this.#head.push(first);
      this.#headBytes += first.length;
    }
    const rest = chunk.subarray(first.length);
    if (rest.length > 0) this.#keepLast(rest);
  }

  /** Everything where nothing was cut; `tail` is empty then. */
  parts(): { readonly head: Buffer; readonly tail: Buffer } {
    const tail = Buffer.concat(this.#tail);
    if (!this.isCut) return { head: Buffer.concat([...this.#head, tail]), tail: Buffer.alloc(0) };
    return { head: Buffer.concat(this.#head), tail: tail.subarray(-KEPT_BYTES) };
  }

  #keepLast(chunk: Buffer): void {
    this.#tail.push(chunk);
    this.#tailBytes += chunk.length;
    for (let oldest = this.#tail[0]; oldest !== undefined; oldest = this.#tail[0]) {
      if (this.#tailBytes - oldest.length < KEPT_BYTES) return;
      this.#tailBytes -= oldest.length;
      this.#tail.shift();
    }
  }
}
