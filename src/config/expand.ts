import { sep } from 'node:path';

import type { Env } from './types.ts';

/** A string with its variables replaced, or why it cannot be. */
export type Expansion =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unresolved'; readonly reason: string };

const REFERENCE = /\$\{([^}]*)\}/g;
const VARIABLE = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

/**
 * Replaces `${VAR}`, `${env:VAR}` and `${VAR:-default}` (the default counts where the variable is unset or empty, as in a
 * shell), and the constants `${userHome}`, `${pathSeparator}` and `${/}` of VS Code and Cursor. What is put in is not expanded
 * again. The first reference that has no value here (an unset variable, `${input:…}`, `${workspaceFolder}`) decides the result.
 */
export function expandVariables(text: string, env: Env, home: string): Expansion {
  const constants = new Map([
    ['userHome', home],
    ['pathSeparator', sep],
    ['/', sep],
  ]);
  let reason: string | undefined;
  const expanded = text.replaceAll(REFERENCE, (reference, name: string) => {
    const value = constants.get(name) ?? variable(name, env);
    if (value !== undefined) return value;
    reason ??= whyUnresolved(reference, name);
    return reference;
  });
  return reason === undefined ? { kind: 'text', text: expanded } : { kind: 'unresolved', reason };
}

function variable(name: string, env: Env): string | undefined {
  const [, key, fallback] = VARIABLE.exec(name) ?? [];
  if (key === undefined) return undefined;
  const value = Object.hasOwn(env, key) ? env[key] : undefined;
  return fallback === undefined || (value !== undefined && value !== '') ? value : fallback;
}

function whyUnresolved(reference: string, name: string): string {
  if (name.startsWith('input:')) return `${reference} asks a person for a value, which only VS Code does`;
  if (name.startsWith('workspaceFolder')) return `${reference} has no value here: one server serves many workspaces`;
  const [, key] = VARIABLE.exec(name) ?? [];
  return key === undefined ? `${reference} is not a variable that can be read here` : `${key} is not set`;
}
