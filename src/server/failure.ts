import type { CallToolResult } from '@modelcontextprotocol/server';
import type { PlaybookError } from '../errors.ts';

/** A result that tells what went wrong, what to do next, and the code by which a program may tell. */
export function failure({ code, message, hint }: PlaybookError): CallToolResult {
  return {
    content: [{ type: 'text', text: hint === undefined ? message : `${message}\n${hint}` }],
    isError: true,
    _meta: { 'playbook-mcp/error': code },
  };
}
