// An upstream of the 2026-07-28 revision on the SDK's server; its tool `grow` adds another tool.
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

// As in raw-upstream.mjs.
const [startsFile] = process.argv.slice(2);
const isFirstStart = startsFile !== undefined && !existsSync(startsFile);
if (startsFile) appendFileSync(startsFile, `${process.pid}\n`);
if (isFirstStart && process.env['FIRST_START_MS']) await sleep(Number(process.env['FIRST_START_MS']));

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
  { legacy: process.env['LEGACY'] ?? 'reject' },
);
