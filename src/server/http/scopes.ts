import { isJsonObject } from '../../model.ts';

/** What a token may do that does not say it. */
export const USUAL_SCOPES: readonly string[] = ['search', 'execute'];

/** May see the usage of everybody. */
export const ADMIN_SCOPE = 'admin';

/** Requests that tell what there is want `search`; those that give it out, or do something, want `execute`. */
const SCOPE_OF_METHOD: ReadonlyMap<unknown, string> = new Map([
  ['resources/list', 'search'],
  ['resources/templates/list', 'search'],
  ['resources/subscribe', 'search'],
  ['resources/directory/read', 'search'],
  ['skills/list', 'search'],
  ['skills/get', 'search'],
  ['prompts/list', 'search'],
  ['completion/complete', 'search'],
  ['subscriptions/listen', 'search'],
  ['resources/read', 'execute'],
  ['prompts/get', 'execute'],
]);

/** The scopes that a request, or a batch of them, needs; [] for one that any caller may make, such as `tools/list`. */
export function neededScopes(body: unknown): readonly string[] {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return [...new Set(messages.flatMap((message) => neededScope(message) ?? []))];
}

function neededScope(message: unknown): string | undefined {
  if (!isJsonObject(message)) return undefined;
  const { method, params } = message;
  if (method !== 'tools/call') return SCOPE_OF_METHOD.get(method);
  return isJsonObject(params) && params['name'] === 'execute' ? 'execute' : 'search';
}
