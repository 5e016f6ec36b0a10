// What `bench:startup` is compared with: the smallest server that the SDK's own guide shows, unbundled.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

serveStdio(() => {
  const server = new McpServer({ name: 'hello-world', version: '1.0.0' });
  server.registerTool(
    'hello',
    { description: 'Says hello', inputSchema: z.object({ name: z.string().describe('Who to greet') }) },
    ({ name }) => ({ content: [{ type: 'text', text: `Hello, ${name}!` }] }),
  );
  return server;
});
