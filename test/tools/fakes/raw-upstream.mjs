// An upstream without an SDK, so that it can misbehave: `node raw-upstream.mjs <mode> [file]`.
// Each start adds its process id as a line to the file, where one is given.
import { spawn } from 'node:child_process';
import { appendFileSync, closeSync, existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const [mode = 'plain', startsFile] = process.argv.slice(2);
const isFirstStart = startsFile !== undefined && !existsSync(startsFile);
if (startsFile) appendFileSync(startsFile, `${process.pid}\n`);

const send = (...messages) =>
  process.stdout.write(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
const tool = (name, more) => ({ name, description: `The tool ${name}`, inputSchema: { type: 'object' }, ...more });
// `TOOLS_FILE` names a JSON file of further tools, read at the start; each answers with its name.
const further = process.env['TOOLS_FILE'] ? JSON.parse(readFileSync(process.env['TOOLS_FILE'], 'utf8')) : [];
const tools = [
  ...further,
  ...(mode === 'bad-schema' ? [tool('odd', { inputSchema: { type: 'no-such-type' } })] : []),
  tool('return'),
  tool('progress'),
  tool('slow'),
  tool('fail'),
  tool('crash'),
  tool('say-meta'),
  tool('grow'),
];

if (mode === 'exit') {
  process.stderr.write('Error: TOKEN is not set\n    at start (server.js:1:1)\n');
  process.exit(1);
}
// As `npx` does, which downloads a package once.
if (isFirstStart && process.env['FIRST_START_MS']) await sleep(Number(process.env['FIRST_START_MS']));
if (process.env['START_DELAY_MS']) await sleep(Number(process.env['START_DELAY_MS']));
if (mode === 'banner') {
  process.stdout.write('Welcome to the fake upstream!\n{"not": "of the protocol"}\n{broken\n');
}
if (mode === 'stubborn') process.on('SIGTERM', () => undefined);
// Without this a hanging process would end with its input; with it, it lives on as many real servers do.
if (mode === 'hang' || mode === 'stubborn') setInterval(() => undefined, 1000);
if (mode === 'grandchild') {
  const child = spawn('/bin/sh', ['-c', 'sleep 600 & wait'], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (startsFile) appendFileSync(startsFile, `${child.pid}\n`);
}

const isModern = mode === 'modern';
const result = (value) => (isModern ? { resultType: 'complete', ...value } : value);

const answers = {
  'server/discover': () => ({
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'raw', version: '1' } },
  }),
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true }, logging: {} },
    serverInfo: { name: 'raw', version: '1' },
  }),
  'tools/list': ({ cursor }) => {
    if (mode === 'odd-list')
      return {
        tools: [{ name: 7 }, 'x', tool('kept', { inputSchema: true }), tool('kept'), tool('bare', { inputSchema: 3 })],
      };
    if (mode !== 'paged') return { tools, ttlMs: 0, cacheScope: 'private' };
    const page = Number(cursor ?? 0);
    return { tools: tools.slice(page, page + 2), ...(page + 2 < tools.length && { nextCursor: String(page + 2) }) };
  },
};

function call(id, { name, arguments: args, _meta: meta }) {
  const done = (value) => ({ id, result: result(value) });
  const progress = (count) => ({
    method: 'notifications/progress',
    params: { progressToken: meta.progressToken, progress: count, total: 3, message: `step ${count}` },
  });
  switch (name) {
    case 'return':
      return send(done(args.result));
    case 'say-meta':
      return send(done({ content: [], _meta: { received: meta } }));
    case 'progress':
      return send(progress(1), progress(2), progress(3), done({ content: [] }));
    case 'slow': {
      let count = 0;
      const timer = setInterval(() => {
        count += 1;
        if (count < args.steps) return send(progress(count));
        clearInterval(timer);
        return send(done({ content: [{ type: 'text', text: 'slow' }] }));
      }, args.stepMs);
      return running.set(id, timer);
    }
    case 'shout':
      return process.stdout.write('noise\n'.repeat(args.lines), () => send(done({ content: [] })));
    case 'close-stdin':
      // It lives on, as a server does that waits for something else.
      setInterval(() => undefined, 1000);
      closeSync(0);
      return send(done({ content: [] }));
    case 'answer-oddly':
      return send({ id, ...args.answer });
    case 'fail':
      return send({ id, error: { code: -32000, message: 'The wiki is closed on Sundays' } });
    case 'crash':
      process.stderr.write('fatal: out of cheese\n');
      return process.exit(4);
    case 'grow':
      tools.push(tool(`grown-${tools.length}`));
      return send({ method: 'notifications/tools/list_changed' }, done({ content: [] }));
    case 'odd':
      return send(done({ content: [{ type: 'text', text: 'odd' }] }));
    default:
      if (further.some((each) => each.name === name)) return send(done({ content: [{ type: 'text', text: name }] }));
      return send({ id, error: { code: -32602, message: `Unknown tool ${name}` } });
  }
}

const running = new Map();

createInterface({ input: process.stdin })
  .on('line', async (line) => {
    if (mode === 'hang' || mode === 'stubborn') return;
    const { id, method, params = {} } = JSON.parse(line);
    if (method === 'notifications/cancelled') {
      clearInterval(running.get(params.requestId));
      send({ method: 'notifications/message', params: { level: 'warning', data: 'a call was cancelled' } });
    }
    if (id === undefined) return;
    if (method === 'server/discover' && mode === 'dies-on-discover') process.exit(3);
    if (method === 'server/discover' && mode === 'ignores-discover') return;
    if (method === 'server/discover' && process.env['DISCOVER_DELAY_MS'])
      await sleep(Number(process.env['DISCOVER_DELAY_MS']));
    if (method === 'tools/list' && mode === 'refuses-list')
      return send({ id, error: { code: -32603, message: 'the list is lost' } });
    if (method === 'tools/call') call(id, params);
    else if (answers[method] && (isModern ? method !== 'initialize' : method !== 'server/discover')) {
      if (method === 'tools/list' && startsFile && mode === 'restless') appendFileSync(startsFile, 'listed\n');
      send({ id, result: result(answers[method](params)) });
      if (method === 'tools/list' && mode === 'restless') send({ method: 'notifications/tools/list_changed' });
    } else send({ id, error: { code: -32601, message: 'Method not found' } });
  })
  .on('close', () => {
    if (mode !== 'hang' && mode !== 'stubborn' && mode !== 'grandchild') process.exit(0);
  });
