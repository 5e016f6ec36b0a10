// An upstream of the 2026-07-28 revision on the SDK's server; its tool `grow` adds another tool.
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

serveStdio(
  () => {
    const server = new McpServer(
      { name: 'modern', version: '1.0.0' },
      { capabilities: { tools: { listChanged: true } } },
    );
    const inputSchema = fromJsonSchema({ type: 'object', properties: { text: { type: 'string' } } });
    server.registerTool('echo', { description: 'Says it back', inputSchema }, ({ text }) => ({
      content: [{ type: 'text', text: String(text) }],
      structuredContent: { text },
      _meta: { 'example.com/kept': true },
    }));
    server.registerTool('grow', { description: 'Adds a tool', inputSchema }, () => {
      server.registerTool('grown', { description: 'New', inputSchema }, () => ({ content: [] }));
      return { content: [{ type: 'text', text: 'grew' }] };
    });
    return server;
  },
  { legacy: 'reject' },
);
