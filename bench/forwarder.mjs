// What `bench:gateway` is compared with: the least that a gateway on the SDK can be. It forwards `tools/call` to the server
// that its arguments start, and does nothing else: no checks, no catalog, no limits, no life of the upstream.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const [command, ...args] = process.argv.slice(2);
// As the product does, it speaks to the upstream in the newest revision that both know.
const upstream = new Client({ name: 'forwarder', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
await upstream.connect(new StdioClientTransport({ command, args }));

serveStdio(() => {
  // oxlint-disable-next-line typescript/no-deprecated -- the low-level server is the least that there is
  const server = new Server({ name: 'forwarder', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => upstream.listTools());
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: given } }) => {
    const { content } = await upstream.callTool({ name, arguments: given });
    return { content };
  });
  return server;
});
process.stdin.once('end', () => void upstream.close());
