// The SDK's HTTP handler answering `tools/call` by a constant: what a search over HTTP is compared with. Prints its address.
// It is served as the SDK's own adapter for Node serves it; with `--light`, by the responses that the listener would make by default.
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';

const result = { content: [{ type: 'text', text: 'A line of a result. '.repeat(40) }] };
const handler = createMcpHandler(() => {
  const mcp = new McpServer({ name: 'constant', version: '1.0.0' }, { capabilities: { tools: {} } });
  mcp.server.setRequestHandler('tools/call', () => result);
  return mcp;
});
const listener = getRequestListener((request) => handler.fetch(request), {
  overrideGlobalObjects: process.argv.includes('--light'),
});
const server = createServer((request, response) => void listener(request, response));
server.listen(0, '127.0.0.1', () => console.error(`Serving at http://127.0.0.1:${server.address().port}/mcp`));
