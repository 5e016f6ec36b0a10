/** Words that invented playbooks and queries are made of. */

export const DOMAINS = (
  'deploy billing auth search kafka postgres frontend mobile payments catalog shipping fraud analytics experiments ' +
  'notifications media identity support pricing inventory compliance observability networking storage scheduling ' +
  'onboarding localization recommendations gateway warehouse'
).split(' ');

export const NOUNS = (
  'invoice token session replica partition consumer schema index cache certificate secret bucket pipeline build artifact ' +
  'rollout flag cohort segment webhook callback endpoint quota limit budget alert dashboard trace metric log probe pod ' +
  'node cluster volume snapshot backup archive ledger refund chargeback coupon discount basket order shipment label route ' +
  'carrier address parcel return vendor supplier contract tenant account profile avatar password passkey captcha consent ' +
  'cookie banner locale string translation font icon theme layout widget carousel form wizard tooltip modal chart report ' +
  'export import feed crawler sitemap synonym ranking query facet filter embedding dataset labelset notebook ' +
  'model batch stream offset topic queue worker cron job retry timeout circuit breaker proxy balancer firewall subnet peering ' +
  'zone record mailbox template digest unsubscribe push badge deeplink bundle keystore release changelog version ' +
  'dependency license advisory vulnerability scanner linter fixture mock golden flake runner agent container image ' +
  'registry manifest values trigger view function constraint vacuum lock deadlock connection pool'
).split(' ');

/** Words of one row mean the same. */
export const VERBS = [
  ['create', 'add', 'set up'],
  ['remove', 'delete', 'clean up'],
  ['debug', 'investigate', 'diagnose'],
  ['migrate', 'move', 'port'],
  ['rotate', 'renew', 'replace'],
  ['roll back', 'revert', 'undo'],
  ['review', 'audit', 'check'],
  ['upgrade', 'update', 'bump'],
  ['restore', 'recover', 'repair'],
  ['optimize', 'speed up', 'tune'],
  ['document', 'describe', 'write down'],
  ['test', 'verify', 'validate'],
] as const;

export const STEPS = [
  'Open the {a} of the {b} and note its {c}.',
  'Ask the owner of the {a} before you touch the {b}.',
  'Run the {a} checker against every {b} that has a {c}.',
  'Compare the {a} with the {b} of last week.',
  'Wait until the {a} is idle, then change the {b}.',
  'If the {a} complains about a {b}, look at its {c} first.',
  'Write the new {a} next to the {b} and link both from the {c}.',
  'Never remove the {a} while a {b} still reads the {c}.',
  'Tell the people of the {a} channel which {b} has changed.',
  'Keep the old {a} for a day in case the {b} needs it.',
] as const;

export const CHATTER = [
  'hey can you help me',
  'I need to',
  'please figure out how to',
  'we have been asked by the team to',
  'what is the usual way to',
  'for the ticket I am working on I have to',
  'as soon as possible',
] as const;

export const ENDINGS = [
  'before friday',
  'in production',
  'for our team',
  'step by step',
  'without downtime',
  'again',
  '',
] as const;
