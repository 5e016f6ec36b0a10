import type { ClientCapabilities } from '@modelcontextprotocol/client';

/**
 * What we can do for upstreams, given a client that can: they list other tools to a client that can do more, and are told so
 * once, while every client of ours can do something else. Sampling is without tools: a server that is not offered those makes do.
 */
export const DECLARED_CAPABILITIES = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: { listChanged: true },
} satisfies ClientCapabilities;
