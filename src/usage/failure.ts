import { messageOf, PlaybookError } from '../errors.ts';

/**
 * What a failure of a store means: `corrupt`, the file must be set aside; `busy`, other processes write; `newer`, made by a newer
 * version, nothing to be done here; `refused`, these rows will never be taken; `unavailable`, it may work later.
 */
export type StoreFailure = 'corrupt' | 'busy' | 'newer' | 'refused' | 'unavailable';

/** @see https://www.sqlite.org/rescode.html: CORRUPT, NOTADB; BUSY, LOCKED; TOOBIG, CONSTRAINT, MISMATCH, RANGE. */
const OF_SQLITE: ReadonlyMap<number, StoreFailure> = new Map([
  [11, 'corrupt'],
  [26, 'corrupt'],
  [5, 'busy'],
  [6, 'busy'],
  [18, 'refused'],
  [19, 'refused'],
  [20, 'refused'],
  [25, 'refused'],
]);

/** @see https://www.postgresql.org/docs/current/errcodes-appendix.html: data exceptions, violated constraints. */
const REFUSED_BY_POSTGRES = /^2[23]\w{3}$/;

/** What opening a file has to say comes without a code. */
const CORRUPT = /database disk image is malformed|file is not a database/;

export function failureOf(error: unknown): StoreFailure {
  if (error instanceof PlaybookError && error.code === 'usage/newer') return 'newer';
  if (error instanceof Error && 'rawCode' in error && typeof error.rawCode === 'number') {
    // The low byte is the primary code.
    return OF_SQLITE.get(error.rawCode % 256) ?? 'unavailable';
  }
  if (error instanceof Error && 'code' in error && REFUSED_BY_POSTGRES.test(String(error.code))) return 'refused';
  return CORRUPT.test(messageOf(error)) ? 'corrupt' : 'unavailable';
}

/** Node puts several refused addresses of one host into an error without words of its own. */
export function causeText(cause: unknown): string {
  const inner: unknown = cause instanceof AggregateError ? cause.errors[0] : undefined;
  return messageOf(inner ?? cause);
}
