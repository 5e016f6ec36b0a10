/**
 * Codes of failures that a caller can mend, `stage/what`. Codes are stable API; messages are not.
 *
 * - `config/not-json`: the configuration file is not JSON; nothing can be read from it.
 * - `config/not-toml`: the configuration file of a client is not TOML; nothing was written.
 * - `config/taken-name`: the configuration of a client has another server of our name.
 * - `config/not-found`: a configuration file that was asked for by name does not exist.
 * - `config/uneditable`: a configuration file in which an entry cannot be changed by itself.
 * - `source/not-found`: a playbook folder that was asked for by name does not exist.
 * - `workspace/not-allowed`: the directory is not below a `--workspace` that the person allowed.
 * - `workspace/not-found`: the directory does not exist.
 * - `workspace/unknown`: nothing tells which directory the agent works in.
 * - `catalog/unknown-id`: no entry has that id.
 * - `catalog/ambiguous-id`: a bare name that several entries share.
 * - `catalog/unknown-section`: the playbook has no such heading.
 * - `catalog/retired`: the entry was retired; the hint names the replacement.
 * - `catalog/quarantined`: the tool's definition is other than the approved one; a person must accept it.
 * - `search/bad-cursor`: the cursor is not one that this server handed out.
 * - `tools/invalid-arguments`: arguments that do not fit the entry's schema; every field at fault is named.
 * - `tools/unavailable`: the upstream server could not be started or reached.
 * - `tools/unauthorized`: the upstream server wants a person to log in; the message or the hint tells how.
 * - `tools/failed`: the upstream server answered the call with a protocol error.
 * - `tools/timeout`: the upstream server did not answer in time.
 * - `tools/cancelled`: the caller cancelled the call.
 * - `code/unknown-repository`: no repository below `code.roots` has that name, or there is none at all.
 * - `code/refused`: a file outside of its repository, of git itself, or ignored by it.
 * - `code/unreadable`: a file of a repository that is not there, no text, or too large.
 * - `tools/unconfirmed`: the call must be confirmed first; the hint has the code for it.
 * - `tools/declined`: the person was asked and did not agree to the call.
 * - `tools/unknown-handle`: no cut result has that handle, or it was kept for too long.
 * - `tools/bad-cursor`: the cursor is not one that belongs to the cut result.
 * - `tools/unknown-resource`: no upstream server has the resource.
 * - `tools/undeclared`: the upstream server asks for something that the client has not declared; nothing was asked.
 * - `tools/unanswered`: a question of the upstream server that the client did not answer in time, or cannot be asked here.
 * - `files/unreadable`: a supporting file that exists but cannot be read as text.
 * - `lint/no-playbooks`: no playbook lies where lint was told to look.
 * - `files/unwritable`: a file that a command was to write cannot be written.
 * - `files/bad-id`: an id that cannot be the path of a new playbook everywhere.
 * - `files/exists`: a file that would have to be overwritten.
 * - `catalog/taken-id`: the id of a new playbook means another entry already.
 * - `catalog/duplicate`: the text of a new playbook is another one's already; the message names it and what is different.
 * - `check/no-repository`: a change is to be reviewed where there is no git repository.
 * - `check/no-base`: what a change is compared with is not there, as in a shallow clone.
 * - `check/remote-unreachable`: a partial clone lacks what a change is compared with, and its remote cannot be reached.
 * - `check/reviewer-failed`: the reviewing program failed, took too long, or gave no verdict; the message has what it said.
 * - `usage/off`: nothing is recorded, by configuration or environment.
 * - `usage/unavailable`: what was recorded, or is to be, cannot be read or written; the message tells why.
 * - `usage/newer`: the usage was written by a newer version, and is left alone.
 * - `catalog/bad-replacement`: what is to replace an entry is retired, or is replaced by it.
 * - `catalog/referenced`: an entry that others in use lead to is not retired without a replacement.
 * - `playbooks/uneditable`: a front matter in which a key cannot be changed without changing more.
 * - `http/unprotected`: the server would be open to everybody who reaches it, or to nobody; it does not start.
 * - `http/unavailable`: the address cannot be listened at.
 * - `cli/usage`: a command line that cannot be understood.
 */
export type ErrorCode =
  | 'config/not-json'
  | 'config/not-toml'
  | 'config/taken-name'
  | 'config/not-found'
  | 'config/uneditable'
  | 'source/not-found'
  | 'workspace/not-allowed'
  | 'workspace/not-found'
  | 'workspace/unknown'
  | 'catalog/unknown-id'
  | 'catalog/ambiguous-id'
  | 'catalog/unknown-section'
  | 'catalog/retired'
  | 'catalog/quarantined'
  | 'search/bad-cursor'
  | 'tools/invalid-arguments'
  | 'tools/unavailable'
  | 'tools/unauthorized'
  | 'tools/failed'
  | 'tools/timeout'
  | 'tools/cancelled'
  | 'code/unknown-repository'
  | 'code/refused'
  | 'code/unreadable'
  | 'tools/unconfirmed'
  | 'tools/declined'
  | 'tools/unknown-handle'
  | 'tools/bad-cursor'
  | 'tools/unknown-resource'
  | 'tools/undeclared'
  | 'tools/unanswered'
  | 'files/unreadable'
  | 'lint/no-playbooks'
  | 'files/unwritable'
  | 'files/bad-id'
  | 'files/exists'
  | 'catalog/taken-id'
  | 'catalog/duplicate'
  | 'check/no-repository'
  | 'check/no-base'
  | 'check/remote-unreachable'
  | 'check/reviewer-failed'
  | 'usage/off'
  | 'usage/unavailable'
  | 'usage/newer'
  | 'catalog/bad-replacement'
  | 'catalog/referenced'
  | 'playbooks/uneditable'
  | 'http/unprotected'
  | 'http/unavailable'
  | 'cli/usage';

interface PlaybookErrorOptions {
  /** The next action, as one sentence to the person or agent that reads it. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/** A failure that the caller can mend. Anything else that is thrown is a bug and surfaces as one. */
export class PlaybookError extends Error {
  override readonly name = 'PlaybookError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: PlaybookErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
  }
}

/** The text of anything that was thrown, for a message; never empty. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message === '' ? thrown.name : thrown.message;
  return String(thrown);
}
