// An upstream without an SDK that records what happens to its calls: `node recording-upstream.mjs <2025|2026> <stdio|http> <file>`.
// Each line of the file is JSON: {event: 'call' | 'answer' | 'cancel', id, key}. Over HTTP it writes its port to stdout.
// `run {key, ms, asks}` answers after so many milliseconds, with progress on the way; where it asks, after an elicitation.
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const [era, transport, file] = process.argv.slice(2);
if (process.env['START_DELAY_MS']) await sleep(Number(process.env['START_DELAY_MS']));
const isModern = era === '2026';
const running = new Map();
const keys = new Map();
const questions = new Map();
let questionCount = 0;
const record = (event, id, key) => appendFileSync(file, `${JSON.stringify({ event, id, key })}\n`);
const complete = (value) => (isModern ? { resultType: 'complete', ...value } : value);
const question = (message) => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties: {} } },
});

const answers = {
  'server/discover': () => ({
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'recording', version: '1' } },
  }),
  initialize: ({ protocolVersion }) => {
    // Another client counts its requests anew.
    keys.clear();
    return {
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'recording', version: '1' },
    };
  },
  ping: () => ({}),
  'tools/list': () => ({
    tools: [{ name: 'run', inputSchema: { type: 'object' } }],
    ttlMs: 0,
    cacheScope: 'private',
  }),
};

function run(id, { arguments: { key, ms, asks }, inputResponses, _meta }, send) {
  keys.set(id, key);
  record('call', id, key);
  const end = (value) => {
    clearInterval(progress);
    running.delete(id);
    record('answer', id, key);
    send({ id, result: value });
  };
  let count = 0;
  const progress = setInterval(() => {
    count += 1;
    send({ method: 'notifications/progress', params: { progressToken: _meta.progressToken, progress: count } });
  }, 5);
  const finish = () => {
    const content = [{ type: 'text', text: key }];
    running.set(id, { key, progress, timer: setTimeout(end, ms, complete({ content })) });
  };
  if (!asks || inputResponses) return finish();
  if (isModern) return end({ resultType: 'input_required', inputRequests: { in: question(key) } });
  questionCount += 1;
  questions.set(`q-${questionCount}`, finish);
  running.set(id, { key, progress });
  return send({ id: `q-${questionCount}`, ...question(key) });
}

function cancel(id) {
  const call = running.get(id);
  clearTimeout(call?.timer);
  clearInterval(call?.progress);
  running.delete(id);
  record('cancel', id, keys.get(id));
}

function take({ id, method, params = {}, ...answer }, send) {
  if (method === undefined) {
    const finish = questions.get(id);
    questions.delete(id);
    if ('result' in answer) finish?.();
  } else if (method === 'notifications/cancelled') cancel(params.requestId);
  else if (method === 'tools/call') run(id, params, send);
  else if (id === undefined) return;
  else if (method in answers && method !== (isModern ? 'initialize' : 'server/discover'))
    send({ id, result: complete(answers[method](params)) });
  else send({ id, error: { code: -32601, message: 'Method not found' } });
}

async function serve(request, response) {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const message = JSON.parse(await text(request));
  if (message.method === undefined || message.id === undefined) {
    take(message, () => undefined);
    return void response.writeHead(202).end();
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  // The end of its stream cancels a request of 2026-07-28; before that it is only a lost connection.
  response.on('close', () => isModern && running.has(message.id) && cancel(message.id));
  take(message, (sent) => {
    response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...sent })}\n\n`);
    if (sent.id === message.id) response.end();
  });
}

if (transport === 'http') {
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
} else {
  createInterface({ input: process.stdin })
    .on('line', (line) =>
      take(JSON.parse(line), (sent) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...sent })}\n`)),
    )
    .on('close', () => process.exit(0));
}
