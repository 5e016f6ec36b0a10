import { messageOf, PlaybookError } from '../errors.ts';

/**
 * What a failure of a store means: `corrupt`, the file must be set aside; `busy`, other processes write; `newer`, made by a newer
 * version, nothing to be done here; `refused`, these rows will never be taken; `unavailable`, it may work later.
 */
export type StoreFailure = 'corrupt' | 'busy' | 'newer' | 'refused' | 'unavailable';

const CORRUPT = /^SQLITE_(?:CORRUPT|NOTADB)/;
const BUSY = /^SQLITE_(?:BUSY|LOCKED)/;
/** Of PostgreSQL, the classes of data exceptions and violated constraints. */
const REFUSED = /^(?:SQLITE_(?:CONSTRAINT|MISMATCH|RANGE|TOOBIG).*|2[23]\w{3})$/;

export function failureOf(error: unknown): StoreFailure {
  if (error instanceof PlaybookError && error.code === 'usage/newer') return 'newer';
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (CORRUPT.test(code) || /database disk image is malformed|file is not a database/.test(messageOf(error))) {
    return 'corrupt';
  }
  if (REFUSED.test(code)) return 'refused';
  return BUSY.test(code) ? 'busy' : 'unavailable';
}
