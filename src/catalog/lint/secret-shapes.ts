/** A shape that a well-known issuer gives its tokens. */
interface SecretShape {
  readonly what: string;
  /** What every such token has, as a pattern that costs little and fits few texts; undefined where there is nothing. */
  readonly mark?: string;
  /** Global; the group `secret`, else the whole match, is the secret. */
  readonly pattern: RegExp;
}

const PASSWORD_IN_URL = 'a password in a URL';

/** @see the published token formats of each issuer; lengths are exact where theirs are. */
const SHAPES: readonly SecretShape[] = [
  { what: 'an AWS access key id', mark: 'AKIA|ASIA', pattern: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g },
  {
    what: 'a GitHub token',
    mark: 'gh[pousr]_|github_pat_',
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59})\b/g,
  },
  { what: 'a GitLab token', mark: 'gl(?:pat|rt|dt|ft|soat)-', pattern: /\bgl(?:pat|rt|dt|ft|soat)-[\w-]{20,}\b/g },
  { what: 'a Slack token', mark: 'xox[abeoprs]-', pattern: /\bxox[abeoprs]-(?:\d{6,}-)+[A-Za-z0-9-]{16,}/g },
  { what: 'a Slack app token', mark: 'xapp-', pattern: /\bxapp-\d-[A-Z0-9]{8,}-\d{8,}-[a-f0-9]{32,}\b/g },
  {
    what: 'a Slack webhook',
    mark: 'hooks\\.slack',
    pattern: /\bhooks\.slack\.com\/services\/(?<secret>T[A-Z0-9]{8,}\/B[A-Z0-9]{8,}\/[A-Za-z0-9]{24})\b/g,
  },
  { what: 'a Stripe key', mark: '[sr]k_live_', pattern: /\b(?:sk|rk)_live_[A-Za-z0-9]{24,}\b/g },
  { what: 'a Google API key', mark: 'AIza', pattern: /\bAIza[A-Za-z0-9_-]{35}(?![\w-])/g },
  {
    what: 'an OpenAI key',
    mark: '\\bsk-',
    pattern: /\bsk-(?:proj|svcacct|admin)-[\w-]{40,}\b|\bsk-[A-Za-z0-9]{48}\b/g,
  },
  { what: 'an Anthropic key', mark: '\\bsk-ant-', pattern: /\bsk-ant-(?:api|admin)\d\d-[\w-]{80,}/g },
  { what: 'an npm token', mark: 'npm_', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { what: 'a PyPI token', mark: 'pypi-', pattern: /\bpypi-AgEIcHlwaS5vcmc[\w-]{50,}/g },
  { what: 'a Hugging Face token', mark: 'hf_', pattern: /\bhf_[A-Za-z]{34}\b/g },
  { what: 'a SendGrid key', mark: 'SG\\.', pattern: /\bSG\.[\w-]{22}\.[\w-]{43}\b/g },
  { what: 'a Telegram bot token', mark: ':AA', pattern: /\b\d{8,10}:AA[\w-]{33}\b/g },
  { what: 'a JSON Web Token', mark: 'eyJ', pattern: /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}/g },
  {
    what: 'a private key',
    mark: '-----BEGIN',
    pattern:
      /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----\s+(?<secret>(?:[\w-]+: .*\s+){0,5}[A-Za-z0-9+/=]{40,}\s+[A-Za-z0-9+/=\s]{60,})/g,
  },
  {
    what: PASSWORD_IN_URL,
    pattern: /:\/\/[\w.-]{1,64}:(?<secret>[^\s:/@"'`<>{}$]{12,128})@[\w.-]/g,
  },
];

const UNMARKED = SHAPES.filter(({ mark }) => mark === undefined);
/** Most texts have no mark, and looking once for all of them is quicker than once for each shape. */
const MARKS = new RegExp(SHAPES.flatMap(({ mark }) => mark ?? []).join('|'));
/** What every assigned secret has, and few texts. */
const MAY_BE_ASSIGNED = /[:=>][ \t]*["'`]?[A-Za-z0-9+/_=-]{24}/;

/** A name that promises a secret, assigned a long literal, alone on the right side. */
const ASSIGNED =
  /(?:api[_-]?key|secret|token|passwd|password|credentials?|private[_-]?key|access[_-]?key)[\w-]{0,20}["']?[ \t]*(?::|=>?|:=)[ \t]*(?<quote>["'`]?)(?<secret>[A-Za-z0-9+/_=-]{24,200})\k<quote>(?=[\s,;)}\]"'`]|$)/gim;

/** A secret that was found. */
export interface FoundSecret {
  readonly index: number;
  /** What it is, with its article. */
  readonly what: string;
  /** Its first characters and its length: enough to find it, useless to whoever reads the log. */
  readonly shown: string;
}

/** The secrets of a text in order; placeholders of documentation are none. */
export function findSecrets(text: string): readonly FoundSecret[] {
  const shapes = MARKS.test(text) ? SHAPES : UNMARKED;
  const shaped = shapes.flatMap(({ what, pattern }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const secret = match.groups?.secret ?? match[0];
      // What stands in a URL is a word of the documentation more often than a secret.
      const isReal = what === PASSWORD_IN_URL ? isRandom(secret) : !isPlaceholder(secret);
      return isReal ? [{ index: match.index + match[0].indexOf(secret), what, shown: shown(secret, what) }] : [];
    }),
  );
  const assigned = (MAY_BE_ASSIGNED.test(text) ? [...text.matchAll(ASSIGNED)] : []).flatMap((match) => {
    const secret = match.groups?.secret ?? '';
    const index = match.index + match[0].lastIndexOf(secret);
    const isKnown = shaped.some((each) => Math.abs(each.index - index) < secret.length);
    return isKnown || !isRandom(secret) ? [] : [{ index, what: 'what looks like a secret', shown: shown(secret) }];
  });
  return [...shaped, ...assigned].sort((a, b) => a.index - b.index);
}

function shown(secret: string, what = ''): string {
  return what === 'a private key'
    ? `${secret.length} characters`
    : `${secret.slice(0, 4)}…, ${secret.length} characters`;
}

const PLACEHOLDER =
  /example|sample|placeholder|your|insert|replace|change|redact|dummy|fake|test|demo|mock|secret|token|password|passwd|foobar|abcdef|123456|234567|345678|456789|qwerty|lorem|todo|xxx|(.)\1{3}|\.\.\.|deadbeef|cafebabe/i;
/** Header and payload of jwt.io's own example, with the usual claims. */
const SAMPLE_CLAIMS = /"(?:sub|name|iss|aud|email)":\s*"(?:1234567890|john\b|jane\b|user|alice|bob|test|example)/i;

/** Whether a text of the right shape was made up for a document: words, sequences, repeats, hardly any variety. */
function isPlaceholder(secret: string): boolean {
  // Prefixes such as `sk-proj-` or `ghp_` belong to the shape.
  const body = secret.replace(/^(?:[a-z]+[_-])+/i, '');
  if (secret.startsWith('eyJ')) return isSampleToken(secret);
  return PLACEHOLDER.test(body) || entropyOf(body) < 3;
}

function isSampleToken(token: string): boolean {
  const [, claims = '', signature = ''] = token.split('.');
  const read = Buffer.from(claims, 'base64url').toString('utf8');
  return SAMPLE_CLAIMS.test(read) || !read.startsWith('{') || PLACEHOLDER.test(signature) || entropyOf(signature) < 3.5;
}

/** For texts without a known shape: of mixed kinds, and as varied as only random ones are. */
function isRandom(secret: string): boolean {
  if (isAddress(secret) || PLACEHOLDER.test(secret) || /^[A-Za-z]+(?:[_-][A-Za-z]+)*$/.test(secret)) return false;
  if (/^[0-9a-f]+$/i.test(secret))
    return secret.length >= 32 && /\d/.test(secret) && /[a-f]/i.test(secret) && entropyOf(secret) > 3.2;
  // A UUID is an id; a path or a file's name has words.
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(secret)) return false;
  const digits = secret.match(/\d/g)?.length ?? 0;
  const isMixed = digits >= 3 && /[a-z]/.test(secret) && /[A-Z]/.test(secret);
  return isMixed && !/[a-z]{7,}/.test(secret) && entropyOf(secret) > 4;
}

/** Public addresses of blockchains, which their software calls tokens: hexadecimal of Ethereum's length, base58 of Solana's. */
function isAddress(secret: string): boolean {
  return /^0x[0-9a-f]{40,64}$/i.test(secret) || /^[1-9A-HJ-NP-Za-km-z]{43,44}$/.test(secret);
}

/** Bits a character. @see Shannon 1948, A mathematical theory of communication */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}
