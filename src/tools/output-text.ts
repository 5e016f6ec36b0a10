import { stripVTControlCharacters } from 'node:util';

import type { KeptOutput } from './kept-output.ts';

/** A text in an old encoding has a few bytes that are no UTF-8; with more than this share of them it is no text. */
const MOST_FOREIGN_RATIO = 0.1;
const NEWLINE = 0x0a;

/**
 * A program's output as text for a model, without the codes that colour a terminal; '' where there was none.
 * What is binary is told and not shown; what was cut is told where it is missing.
 */
export function textOfOutput(output: KeptOutput): string {
  const { head, tail } = output.parts();
  if (head.includes(0) || tail.includes(0)) return binary(output);
  const first = output.isCut ? head.subarray(0, endOfLastLine(head)) : head;
  const last = tail.subarray(startOfFirstLine(tail));
  const missing = output.totalBytes - first.length - last.length;
  const parts = output.isCut
    ? [decode(first), `[… ${missing} of ${output.totalBytes} bytes are left out here …]\n`, decode(last)]
    : [decode(first)];
  const text = parts.join('');
  const foreign = text.split('\uFFFD').length - 1;
  if (foreign > text.length * MOST_FOREIGN_RATIO) return binary(output);
  return foreign === 0 ? text : `${text}\n[${foreign} bytes that are not UTF-8 are shown as \uFFFD.]`;
}

function binary({ totalBytes }: KeptOutput): string {
  return `[Binary output of ${totalBytes} bytes, not shown.]`;
}

function decode(bytes: Buffer): string {
  return stripVTControlCharacters(bytes.toString('utf8')).replaceAll('\r\n', '\n');
}

/** Whole lines only, so that no character is cut in two; all of it where it is one line. */
function endOfLastLine(bytes: Buffer): number {
  const at = bytes.lastIndexOf(NEWLINE);
  if (at !== -1) return at + 1;
  // Bytes that continue a character (10xxxxxx), and the one that begins it.
  let end = bytes.length;
  while (end > bytes.length - 4 && isContinuation(bytes[end - 1])) end -= 1;
  return end - 1;
}

function startOfFirstLine(bytes: Buffer): number {
  const at = bytes.indexOf(NEWLINE);
  if (at !== -1 && at < bytes.length - 1) return at + 1;
  let start = 0;
  while (start < 4 && isContinuation(bytes[start])) start += 1;
  return start;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
