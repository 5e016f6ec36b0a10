import type { JsonObject } from '../model.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Takes one line of the log; `fields` always name the upstream as `server`. It never throws. */
export type Log = (level: LogLevel, message: string, fields: JsonObject) => void;
