import type { ServerResponse } from 'node:http';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { isJsonObject } from '../../model.ts';

/** Methods that have a line of their own; a client may send any text as one. */
const METHODS = new Set([
  'initialize',
  'server/discover',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/directory/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'skills/list',
  'skills/get',
  'subscriptions/listen',
]);
const TOOLS = new Set(['search', 'get_schema', 'execute']);

/** What is counted of the endpoint, for Prometheus. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Counter({
    name: 'playbook_mcp_requests_total',
    help: 'Requests of the protocol, by method, tool and HTTP status',
    labelNames: ['method', 'tool', 'status'] as const,
    registers: [this.#registry],
  });
  readonly #seconds = new Histogram({
    name: 'playbook_mcp_request_seconds',
    help: 'Time to the answer, or to the begin of its stream',
    labelNames: ['method', 'tool'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.#registry],
  });
  readonly #subscriptions = new Gauge({
    name: 'playbook_mcp_subscriptions',
    help: 'Streams of subscriptions/listen that are open',
    registers: [this.#registry],
  });

  /** @param entryCount how many entries the catalog has now, by kind. */
  constructor(entryCount: () => Promise<Readonly<Record<string, number>>>) {
    collectDefaultMetrics({ register: this.#registry });
    const entries = new Gauge({
      name: 'playbook_mcp_entries',
      help: 'Entries of the catalog, by kind',
      labelNames: ['kind'] as const,
      registers: [this.#registry],
      collect: async () => {
        for (const [kind, count] of Object.entries(await entryCount())) entries.set({ kind }, count);
      },
    });
  }

  /** Counts one request, answered after so many seconds. */
  count(body: unknown, { status, seconds }: { readonly status: number; readonly seconds: number }): void {
    const labels = labelsOf(body);
    this.#requests.inc({ ...labels, status: String(status) });
    this.#seconds.observe(labels, seconds);
  }

  /** Counts a subscription for as long as its stream is open. */
  countSubscription(response: ServerResponse): void {
    this.#subscriptions.inc();
    response.once('close', () => this.#subscriptions.dec());
  }

  /** The text that Prometheus reads. @see https://prometheus.io/docs/instrumenting/exposition_formats/ */
  async toResponse(): Promise<Response> {
    const { contentType } = this.#registry;
    return new Response(await this.#registry.metrics(), { headers: { 'Content-Type': contentType } });
  }
}

function labelsOf(body: unknown): { readonly method: string; readonly tool: string } {
  const { method, params } = isJsonObject(body) ? body : {};
  const name = method === 'tools/call' && isJsonObject(params) ? params['name'] : undefined;
  return {
    method: typeof method === 'string' && METHODS.has(method) ? method : 'other',
    tool: typeof name === 'string' && TOOLS.has(name) ? name : '',
  };
}
