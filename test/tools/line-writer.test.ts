import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';

import { LineWriter } from '../../src/tools/line-writer.ts';

/** A stream that keeps what it is given, and takes as long as it is told to. */
function sink(highWaterMark: number): { stream: Writable; chunks: string[]; release: () => void } {
  const chunks: string[] = [];
  let release = (): void => undefined;
  const stream = new Writable({
    highWaterMark,
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      chunks.push(chunk);
      release = done;
    },
  });
  return { stream, chunks, release: () => release() };
}

describe('LineWriter', () => {
  it('writes what is given in one turn at once, in order, with a line end each', async () => {
    const { stream, chunks } = sink(1000);
    const writer = new LineWriter(stream);
    const first = writer.write('one');
    await Promise.resolve();
    await Promise.all([first, writer.write('two')]);
    await writer.write('three');
    expect(chunks.join('')).toBe('one\ntwo\n');
    stream.destroy();
  });

  it('resolves when a stream that was full has room again', async () => {
    const { stream, chunks, release } = sink(2);
    let isDone = false;
    const written = new LineWriter(stream).write('long').then(() => (isDone = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect([chunks, isDone]).toEqual([['long\n'], false]);
    release();
    await written;
    expect(stream.listenerCount('close')).toBe(0);
  });

  it('listens once for the room that many lines wait for', async () => {
    const { stream, release } = sink(2);
    const writer = new LineWriter(stream);
    const written: Promise<void>[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      written.push(writer.write('long'));
      // oxlint-disable-next-line no-await-in-loop -- a write a turn is what this is about
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(stream.listenerCount('drain')).toBe(1);
    for (let turn = 0; turn < 20; turn += 1) release();
    stream.destroy();
    await Promise.all(written);
  });

  it('resolves when the stream closes instead', async () => {
    const { stream } = sink(2);
    const written = new LineWriter(stream).write('long');
    await new Promise((resolve) => setImmediate(resolve));
    stream.destroy();
    await expect(written).resolves.toBeUndefined();
  });
});
