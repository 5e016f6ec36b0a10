import { stat } from 'node:fs/promises';

import { messageOf } from '../errors.ts';

const EVERY_MS = 1000;

/** Tells of changes of one file, until it is closed. */
export interface FileWatch {
  readonly close: () => void;
}

/**
 * Looks at a file every second and calls `onChange` whenever it is other than at the last look, which is how an edit in place, a
 * file put in its place by rename, one that comes and one that goes are all seen, on any file system. Does not keep the process alive.
 *
 * The first look calls `onChange` too: the file may have changed between its reading and the watch.
 */
export function watchFile(path: string, onChange: () => void): FileWatch {
  let last: string | undefined;
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    const seen = await stampOf(path);
    isLooking = false;
    if (seen === last) return;
    last = seen;
    onChange();
  };
  const timer = setInterval(() => void look(), EVERY_MS).unref();
  return { close: () => clearInterval(timer) };
}

/** What tells one state of a file from another; never rejects. */
async function stampOf(path: string): Promise<string> {
  try {
    const { mtimeMs, ctimeMs, size, ino } = await stat(path);
    return [mtimeMs, ctimeMs, size, ino].join(' ');
  } catch (error) {
    // That it cannot be looked at is a state of it as well.
    return messageOf(error);
  }
}
