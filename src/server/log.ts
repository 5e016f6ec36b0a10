import { pino } from 'pino';
import type { Env } from '../config/index.ts';
import type { Log } from '../tools/log.ts';
import { writeToStderr } from './stderr.ts';

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'];

/**
 * A structured log on stderr, one JSON object a line: stdout belongs to the protocol.
 * `PLAYBOOK_MCP_LOG` sets the lowest level that is written: debug, info, warn (default), error or silent.
 */
export function createLog(env: Env): Log {
  const wanted = env['PLAYBOOK_MCP_LOG'] ?? '';
  const logger = pino(
    { name: 'playbook-mcp', level: LEVELS.includes(wanted) ? wanted : 'warn', base: null },
    // No destination of pino's: it either waits for whoever reads, or loses the last line before an exit, which tells why.
    { write: writeToStderr },
  );
  return (level, message, fields) => logger[level](fields, message);
}
