import { isJsonObject } from '../../model.ts';

/** Objects whose every value may be one, and names of single ones. */
const HOLDERS = /^(?:env|environment|headers|http_headers|inputs)$/i;
const SECRET = /key|token|secret|passw|credential|authorization|cookie|bearer/i;
const REFERENCE = /^(?:Bearer )?(?:\$\{[^}]*\}|\$\w+|\{env:\w+\})$/;

/** Texts of a configuration that are not to be shown: what `env` and headers hold, and what is named like a secret. */
export function secretsIn(value: unknown): readonly string[] {
  return [...new Set(collect(value, false))].filter((text) => text.length >= 4 && !REFERENCE.test(text));
}

function collect(value: unknown, isSecret: boolean): readonly string[] {
  if (typeof value === 'string') return isSecret ? [value] : [...inUrl(value)];
  if (Array.isArray(value)) return value.flatMap((each, index) => collectArgument(each, value[index - 1], isSecret));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    collect(each, isSecret || HOLDERS.test(key) || (typeof each === 'string' && SECRET.test(key))),
  );
}

/** `--token abc`, `--token=abc`, `API_KEY=abc`. */
function collectArgument(value: unknown, before: unknown, isSecret: boolean): readonly string[] {
  if (typeof value !== 'string') return collect(value, isSecret);
  if (typeof before === 'string' && before.startsWith('-') && !before.includes('=') && SECRET.test(before))
    return [value];
  const [, name = '', assigned] = /^([\w-]+)[=:]\s*(.+)$/s.exec(value) ?? [];
  return assigned !== undefined && SECRET.test(name) ? [assigned] : collect(value, isSecret);
}

function inUrl(text: string): readonly string[] {
  if (!/^[a-z]+:\/\//i.test(text) || !URL.canParse(text)) return [];
  const { password, searchParams } = new URL(text);
  return [
    decodeURIComponent(password),
    ...[...searchParams].filter(([name]) => SECRET.test(name)).map(([, each]) => each),
  ];
}

/** A text with the secrets in it covered. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  // The longest first, since one may hold another.
  return secrets
    .toSorted((a, b) => b.length - a.length)
    .reduce(
      (left, secret) => left.replaceAll(secret, '•••').replaceAll(JSON.stringify(secret).slice(1, -1), '•••'),
      text,
    );
}
