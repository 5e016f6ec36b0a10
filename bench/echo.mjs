// The upstream of `bench:gateway`: one tool that gives back the text it is given, as bare as the SDK allows.
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

serveStdio(() => {
  // oxlint-disable-next-line typescript/no-deprecated -- the low-level server is the least that there is
  const server = new Server({ name: 'echo', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'echo', inputSchema }] }));
  server.setRequestHandler('tools/call', ({ params }) => ({
    content: [{ type: 'text', text: String(params.arguments?.text) }],
  }));
  return server;
});
