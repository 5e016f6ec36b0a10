// An upstream of the 2026-07-28 revision that needs input on the way; it keeps nothing between the rounds but its state.
import { acceptedContent, fromJsonSchema, inputRequired, inputResponse, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const inputSchema = fromJsonSchema({ type: 'object' });
const requestedSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const text = (value) => ({ content: [{ type: 'text', text: value }] });

serveStdio(
  () => {
    const server = new McpServer({ name: 'asking', version: '1.0.0' }, { instructions: 'Ask politely.' });
    server.registerTool('order', { inputSchema }, ({ what }, { mcpReq }) => {
      const city = mcpReq.requestState();
      const view = inputResponse(mcpReq.inputResponses, 'where');
      if (view.kind === 'elicit' && view.action !== 'accept') return text(`not ordered: ${view.action}`);
      const given = acceptedContent(mcpReq.inputResponses, 'where');
      if (given === undefined || city === undefined) {
        const message = given === undefined ? `Where to, for ${what}?` : 'Which street?';
        return inputRequired({
          inputRequests: {
            where: inputRequired.elicit({ message, requestedSchema }),
            roots: inputRequired.listRoots(),
          },
          ...(given !== undefined && { requestState: given.city }),
        });
      }
      const { roots } = inputResponse(mcpReq.inputResponses, 'roots');
      return text(`${what} to ${JSON.stringify(city)}, ${JSON.stringify(given.city)}; ${roots.length} roots`);
    });
    server.registerTool('visit', { inputSchema }, (_args, { mcpReq }) => {
      const view = inputResponse(mcpReq.inputResponses, 'in');
      if (view.kind === 'elicit') return text(view.action);
      return inputRequired({
        inputRequests: { in: inputRequired.elicitUrl({ message: 'Sign in', url: 'https://example.com/in' }) },
      });
    });
    server.registerTool('summarize', { inputSchema }, (_args, { mcpReq }) => {
      const view = inputResponse(mcpReq.inputResponses, 'text');
      if (view.kind === 'sampling') return text(`${view.result.model}: ${view.result.content.text}`);
      const messages = [{ role: 'user', content: { type: 'text', text: 'Summarize.' } }];
      return inputRequired({ inputRequests: { text: inputRequired.createMessage({ messages, maxTokens: 10 }) } });
    });
    server.registerTool('where', { inputSchema }, (_args, { mcpReq }) => {
      const view = inputResponse(mcpReq.inputResponses, 'roots');
      if (view.kind === 'roots') return text(JSON.stringify(view.roots.map(({ uri }) => uri)));
      return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
    });
    return server;
  },
  { legacy: 'reject' },
);
