/** Whether this is `npm run test:full`. */
export const isFull: boolean = process.env['PLAYBOOK_MCP_TEST_ROUNDS'] === 'full';

/**
 * How often a test repeats what it shows: `full` in `npm run test:full`, `usual` in `npm test`, where the same code is walked
 * through in a fraction of the time.
 */
export function rounds(full: number, usual: number): number {
  return isFull ? full : usual;
}
