// An upstream of the 2025 era that asks its client while a call runs; `where` also tells the roots that it was told last.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  RootsListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

// oxlint-disable-next-line typescript/no-deprecated -- the low-level server can ask at any time and define anything
const server = new Server(
  { name: 'asking', version: '1.0.0' },
  { capabilities: { tools: {}, prompts: {}, resources: {} }, instructions: 'Ask politely.\nSecond line.' },
);
const names = ['order', 'visit', 'summarize', 'where', 'link', 'stubborn', 'hang'];
const text = (value) => ({ content: [{ type: 'text', text: value }] });
let roots;
let running = 0;
let mostRunning = 0;

async function askRoots() {
  roots = (await server.listRoots()).roots.map(({ uri }) => uri);
}
server.oninitialized = () => void askRoots();
server.setNotificationHandler(RootsListChangedNotificationSchema, askRoots);
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })),
}));

async function call({ params: { name, arguments: args = {} } }, { signal }) {
  switch (name) {
    case 'order': {
      const requestedSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
      const first = await server.elicitInput({ message: `Where to, for ${args.what}?`, requestedSchema }, { signal });
      if (first.action !== 'accept') return text(`not ordered: ${first.action}`);
      const second = await server.elicitInput({ message: 'Which street?', requestedSchema }, { signal });
      return text(
        `${args.what} to ${JSON.stringify(first.content.city)}, ${JSON.stringify(second.content?.city)}; at most ${mostRunning} at once`,
      );
    }
    case 'visit': {
      const where = { mode: 'url', message: 'Sign in', url: 'https://example.com/in', elicitationId: 'e-1' };
      return text((await server.elicitInput(where)).action);
    }
    case 'summarize': {
      const messages = [{ role: 'user', content: { type: 'text', text: 'Summarize.' } }];
      const { model, content } = await server.createMessage({ messages, maxTokens: 10 });
      return text(`${model}: ${content.text}`);
    }
    case 'stubborn':
      try {
        await server.createMessage({ messages: [], maxTokens: 1 });
      } catch (error) {
        process.stderr.write(`refused: ${error.message}\n`);
      }
      return text('went on');
    case 'hang':
      await server.elicitInput({ message: 'Wait?', requestedSchema: { type: 'object', properties: {} } });
      return new Promise(() => undefined);
    case 'where':
      return text(JSON.stringify(roots));
    default:
      return {
        content: [
          { type: 'resource_link', uri: 'note://one', name: 'one' },
          { type: 'resource', resource: { uri: 'note://two', text: 'inline' } },
        ],
      };
  }
}

server.setRequestHandler(CallToolRequestSchema, async (request, extra) => {
  running += 1;
  mostRunning = Math.max(mostRunning, running);
  try {
    return await call(request, extra);
  } finally {
    running -= 1;
  }
});
server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
  if (!uri.startsWith('note://')) throw new Error(`no such note: ${uri}`);
  return { contents: [{ uri, mimeType: 'text/plain', text: `the note ${uri}`, _meta: { kept: true } }] };
});
server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
  resourceTemplates: [{ uriTemplate: 'note://{name}', name: 'notes' }],
}));
server.setRequestHandler(ListPromptsRequestSchema, () => ({
  prompts: [
    {
      name: 'review',
      title: 'Review',
      description: 'Reviews a change',
      arguments: [{ name: 'change', description: 'its number', required: true }, { name: 'tone' }],
    },
  ],
}));
server.setRequestHandler(GetPromptRequestSchema, ({ params }) => ({
  description: 'A review',
  messages: [
    { role: 'user', content: { type: 'text', text: `Review ${params.arguments.change}.` } },
    { role: 'assistant', content: { type: 'text', text: 'Gladly.' } },
  ],
}));
await server.connect(new StdioServerTransport());
