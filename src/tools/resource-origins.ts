import type { JsonObject } from '../model.ts';
import { isJsonObject } from '../model.ts';

/** Links remembered at most; a client reads what it has just been given. */
const MOST_KEPT = 10_000;

/** Which server a resource is read from: the one whose result has named it last. */
export class ResourceOrigins {
  readonly #serverByUri = new Map<string, string>();

  of(uri: string): string | undefined {
    return this.#serverByUri.get(uri);
  }

  /** Remembers every link and embedded resource of a result. */
  note(server: string, { content }: JsonObject): void {
    if (!Array.isArray(content)) return;
    for (const block of content) {
      const uri = uriOf(block);
      if (uri === undefined) continue;
      this.#serverByUri.delete(uri);
      this.#serverByUri.set(uri, server);
      const [oldest] = this.#serverByUri.keys();
      if (oldest !== undefined && this.#serverByUri.size > MOST_KEPT) this.#serverByUri.delete(oldest);
    }
  }
}

function uriOf(block: unknown): string | undefined {
  if (!isJsonObject(block)) return undefined;
  const named = block['type'] === 'resource' ? block['resource'] : block;
  const uri = isJsonObject(named) ? named['uri'] : undefined;
  return typeof uri === 'string' ? uri : undefined;
}
