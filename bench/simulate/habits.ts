/** How the people and agents of a simulated year behave. Shares are 0..1. */
export interface Habits {
  readonly engineers: number;
  /** Pieces of work for which one engineer's agent asks, a year. */
  readonly needsEach: number;
  readonly days: number;
  /** How likely an agent looks one rank further. */
  readonly persistence: number;
  /** Of the queries: in whole sentences. */
  readonly chatty: number;
  /** Of the searches: given up though the answer was there. */
  readonly abandoned: number;
  /** Of the uses: executed without a search. */
  readonly fromMemory: number;
  /** Of the engineers: search and never use. */
  readonly searchOnly: number;
  /** Of the sessions: reads the schema of all that is listed. */
  readonly readsAllSchemas: number;
  /** Chance that something wrong is taken when it is looked at. */
  readonly mistaken: number;
  /** Steepness of use over playbooks. */
  readonly zipf: number;
  /** Jobs that call the same every night. */
  readonly bots: number;
  /** Queries asked once that nobody else asks, per engineer and year. */
  readonly noise: number;
  /** How long a list is. */
  readonly limit: number;
  /** What the store does not have. */
  readonly lacks: readonly ('user' | 'shown' | 'rank' | 'seen' | 'query' | 'session')[];
  /** Events about entries that the catalog does not have, a day. */
  readonly strangers: number;
  /** How many playbooks there are, and how many more are missing. */
  readonly playbooks: number;
  readonly missing: number;
  /** Whether each asks about what the own team does, and about nothing else. */
  readonly isApart: boolean;
  /** Whether in four months of the year five times as much is asked as in the others. */
  readonly isSeasonal: boolean;
  /** Of the nouns: those for which the people's language has a word of its own. */
  readonly foreign: number;
}

const USUAL: Habits = {
  engineers: 200,
  needsEach: 120,
  days: 365,
  persistence: 0.7,
  chatty: 0.3,
  abandoned: 0.15,
  fromMemory: 0.15,
  searchOnly: 0.02,
  readsAllSchemas: 0.05,
  mistaken: 0.03,
  zipf: 0.8,
  bots: 4,
  noise: 2,
  limit: 8,
  lacks: [],
  strangers: 1,
  playbooks: 300,
  missing: 20,
  isApart: false,
  isSeasonal: false,
  foreign: 0,
};

/** Ways of behaving, far apart. */
export const HABITS: Readonly<Record<string, Habits>> = {
  usual: USUAL,
  'five times more searches': { ...USUAL, needsEach: 600 },
  'five times fewer searches': { ...USUAL, needsEach: 24 },
  'looks at the first only': { ...USUAL, persistence: 0.25 },
  'looks at all': { ...USUAL, persistence: 0.95 },
  'whole sentences': { ...USUAL, chatty: 0.95 },
  'few words': { ...USUAL, chatty: 0 },
  '20 engineers': { ...USUAL, engineers: 20, needsEach: 500 },
  '1000 engineers': { ...USUAL, engineers: 1000, needsEach: 40 },
  'gives up often': { ...USUAL, abandoned: 0.5 },
  'from memory': { ...USUAL, fromMemory: 0.7 },
  'search only': { ...USUAL, searchOnly: 0.4 },
  'reads all schemas': { ...USUAL, readsAllSchemas: 0.8 },
  'often mistaken': { ...USUAL, mistaken: 0.1 },
  'all alike': { ...USUAL, zipf: 0.3 },
  'few stars': { ...USUAL, zipf: 1.1 },
  'many jobs': { ...USUAL, bots: 60 },
  noisy: { ...USUAL, noise: 20, strangers: 20 },
  'without users': { ...USUAL, lacks: ['user'] },
  'without lists': { ...USUAL, lacks: ['shown'] },
  'without ranks': { ...USUAL, lacks: ['rank'] },
  'without first seen': { ...USUAL, lacks: ['seen'] },
  'without words': { ...USUAL, lacks: ['query'] },
  'without sessions': { ...USUAL, lacks: ['session'] },
  '150 days': { ...USUAL, days: 150, needsEach: 50 },
  'long lists': { ...USUAL, limit: 25 },
  'short lists': { ...USUAL, limit: 3 },
  '90 playbooks and 40 engineers': { ...USUAL, playbooks: 90, missing: 8, engineers: 40, needsEach: 200 },
  '800 playbooks': { ...USUAL, playbooks: 800, missing: 40, engineers: 500 },
  'in another language': { ...USUAL, foreign: 0.1 },
  'by season and teams apart': {
    ...USUAL,
    isSeasonal: true,
    isApart: true,
    persistence: 0.85,
    mistaken: 0.06,
    chatty: 0.6,
  },
};
