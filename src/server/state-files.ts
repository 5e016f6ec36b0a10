import { join } from 'node:path';
import { stateDirs } from '../config/index.ts';
import type { RuntimeOptions } from './runtime-options.ts';

/** Where the logins to remote servers are kept. */
export function credentialsFileOf({ env }: Pick<RuntimeOptions, 'env'>): string {
  return join(stateDirs(env).state, 'oauth', 'credentials.json');
}

/** Where the approved definitions of wrapped tools are kept. */
export function approvalsFileOf({ env }: Pick<RuntimeOptions, 'env'>): string {
  return join(stateDirs(env).data, 'approved-tools.json');
}
