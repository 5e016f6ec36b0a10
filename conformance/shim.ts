/**
 * Stands before the server for the conformance suite, which calls tools by its own names: a call of `test_x` becomes
 * `execute {id: "fixture__test_x"}`, and `tools/list` lists what is behind `execute`, as `get_schema` describes it. Everything else
 * passes as it is, in both directions, so what the suite judges is the server.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import * as z from 'zod';

const OWN_TOOLS: ReadonlySet<string> = new Set(['search', 'get_schema', 'execute']);
const PREFIX = 'fixture__';
const MOST_IDS = 10;

const message = z.looseObject({
  method: z.string(),
  params: z.looseObject({ name: z.string().optional() }).optional(),
});
const listing = z.looseObject({ result: z.looseObject({ tools: z.array(z.unknown()) }) });
type Message = z.infer<typeof message>;

export interface Shim {
  readonly url: string;
  readonly close: () => void;
}

/** Starts the shim before an endpoint of the protocol. */
export async function startShim(target: string): Promise<Shim> {
  const tools = await toolsBehind(target);
  const server = createServer((incoming, outgoing) => void forward({ target, tools }, incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The shim has no port.');
  return {
    url: `http://127.0.0.1:${address.port}${new URL(target).pathname}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Behind {
  readonly target: string;
  readonly tools: readonly object[];
}

async function forward({ target, tools }: Behind, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const body = await bytesOf(incoming);
  const sent = messageIn(body);
  const rewritten = sent === undefined ? undefined : throughExecute(sent);
  const headers = headersFor(incoming.headers, rewritten !== undefined, new URL(target).host);
  const content = rewritten === undefined ? body : Buffer.from(JSON.stringify(rewritten));
  if (body.length > 0) headers['content-length'] = String(content.length);
  const upstream = request(target, { method: incoming.method, headers }, (answer) => {
    if (sent?.method === 'tools/list') return void relist(answer, outgoing, tools);
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  upstream.on('error', () => outgoing.destroy());
  outgoing.on('close', () => upstream.destroy());
  upstream.end(content);
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

function messageIn(body: Buffer): Message | undefined {
  try {
    return message.safeParse(JSON.parse(body.toString())).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The call as one of `execute`; undefined for what is no call of a tool of the suite. */
function throughExecute(sent: Message): Message | undefined {
  const name = sent.params?.name;
  if (sent.method !== 'tools/call' || name === undefined || OWN_TOOLS.has(name)) return undefined;
  const { arguments: given, ...rest } = { arguments: {}, ...sent.params };
  return { ...sent, params: { ...rest, name: 'execute', arguments: { id: `${PREFIX}${name}`, arguments: given } } };
}

function headersFor(headers: IncomingHttpHeaders, isRewritten: boolean, host: string): IncomingHttpHeaders {
  const { 'transfer-encoding': _encoding, ...kept } = headers;
  const isNamed = kept['mcp-name'] !== undefined && isRewritten;
  return { ...kept, host, ...(isNamed && { 'mcp-name': 'execute' }) };
}

/** The answer to `tools/list`, JSON or a stream of one event, with the suite's tools in the place of ours. */
async function relist(answer: IncomingMessage, outgoing: ServerResponse, tools: readonly object[]): Promise<void> {
  const text = (await bytesOf(answer)).toString();
  const changed = text.replace(/^(?<lead>(?:data: )?)(?<json>\{.*\})$/m, (whole, lead: string, json: string) => {
    const read = listing.safeParse(JSON.parse(json)).data;
    if (read === undefined) return whole;
    return lead + JSON.stringify({ ...read, result: { ...read.result, tools } });
  });
  const { 'content-length': _length, 'transfer-encoding': _encoding, ...headers } = answer.headers;
  outgoing.writeHead(answer.statusCode ?? 502, headers);
  outgoing.end(changed);
}

/** The fixture's tools as an agent learns of them: ids by `search`, schemas by `get_schema`. */
async function toolsBehind(target: string): Promise<readonly object[]> {
  const client = new Client({ name: 'conformance-shim', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(target)));
  try {
    const call = async (name: string, args: Record<string, unknown>): Promise<string> => {
      const { content } = await client.callTool({ name, arguments: args });
      return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
    };
    const ids = await idsBehind(call);
    const tools: object[] = [];
    for (let at = 0; at < ids.length; at += MOST_IDS) {
      tools.push(...described(await call('get_schema', { ids: ids.slice(at, at + MOST_IDS) })));
    }
    return tools;
  } finally {
    await client.close();
  }
}

async function idsBehind(call: (name: string, args: Record<string, unknown>) => Promise<string>): Promise<string[]> {
  const ids = new Set<string>();
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const text: string = await call('search', { kind: 'tool', limit: 25, ...(cursor !== '' && { cursor }) });
    for (const [id] of text.matchAll(/^fixture__\w+/gm)) ids.add(id);
    cursor = /cursor[=: "`]+(?<cursor>[\w+/=.-]+)/.exec(text)?.groups?.['cursor'];
  }
  return [...ids];
}

function described(text: string): readonly object[] {
  return text.split(/^# /m).flatMap((part) => {
    const name = /^fixture__(?<name>\w+)/.exec(part)?.groups?.['name'];
    const schema = /^Arguments \(JSON Schema\): (?<schema>.*)$/m.exec(part)?.groups?.['schema'];
    if (name === undefined || schema === undefined) return [];
    return [{ name, description: part.split('\n')[2] ?? '', inputSchema: JSON.parse(schema) }];
  });
}
