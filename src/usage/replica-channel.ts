import type { Client } from 'pg';
import { messageOf } from '../errors.ts';
import type { Log } from '../tools/log.ts';

const CHANNEL = 'playbook_mcp_changes';
/** PostgreSQL takes less than 8,000 bytes. */
const MOST_BYTES = 7_900;
const RECONNECT_MS = 2_000;

export interface ReplicaChannelOptions {
  /** URL of the PostgreSQL database. */
  readonly url: string;
  /** Gets every text that a process sends, this one too. */
  readonly onMessage: (text: string) => void;
  readonly log: Log;
}

/** Short texts to every process at one database, by `LISTEN` and `NOTIFY`. What is sent while the database is away is lost. */
export class ReplicaChannel {
  readonly #options: ReplicaChannelOptions;
  #client: Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** The connection that is being made, or is there. */
  #connecting: Promise<void>;

  constructor(options: ReplicaChannelOptions) {
    this.#options = options;
    this.#connecting = this.#connect();
  }

  /** Sends a text; one that cannot be sent is told on the log. */
  send(text: string): void {
    const { log } = this.#options;
    if (Buffer.byteLength(text) > MOST_BYTES) {
      log('warn', 'A change is too long to tell other replicas.', {});
      return;
    }
    void this.#connecting
      .then(() => this.#client?.query('select pg_notify($1, $2)', [CHANNEL, text]))
      .catch((error: unknown) => log('warn', `Other replicas are not told of a change: ${messageOf(error)}`, {}));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#connecting;
    await this.#client?.end();
  }

  /** Never rejects: tries again later. */
  async #connect(): Promise<void> {
    const { url, onMessage, log } = this.#options;
    try {
      const { default: pg } = await import('pg');
      const client = new pg.Client({ connectionString: url, application_name: 'playbook-mcp', keepAlive: true });
      client.on('notification', ({ payload }) => onMessage(payload ?? ''));
      client.on('error', (error) => log('warn', `The connection to other replicas is lost: ${messageOf(error)}`, {}));
      client.on('end', () => this.#retry());
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      this.#client = client;
    } catch (error) {
      log('warn', `Other replicas cannot be heard: ${messageOf(error)}`, {});
      this.#retry();
    }
  }

  #retry(): void {
    this.#client = undefined;
    if (this.#isClosed || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#connecting = this.#connect();
    }, RECONNECT_MS).unref();
  }
}
