import { describe, expect, it, vi } from 'vitest';
import { Activity } from '../../src/tools/activity.ts';

describe('Activity', () => {
  it('tells when nothing has run for long enough, and never while something runs', async () => {
    vi.useFakeTimers();
    const onIdle = vi.fn<() => void>();
    const activity = new Activity(() => 1000, onIdle);
    let finish: () => void = () => undefined;
    const long = activity.during(() => new Promise<void>((resolve) => (finish = resolve)));
    await activity.during(() => Promise.resolve());
    await vi.advanceTimersByTimeAsync(5000);
    expect(onIdle).not.toHaveBeenCalled();
    finish();
    await long;
    await vi.advanceTimersByTimeAsync(999);
    expect(onIdle).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(onIdle).toHaveBeenCalledOnce();
    vi.useRealTimers();
  });

  it.each([
    { name: 'no time is given', idleMs: undefined },
    { name: 'the time is longer than a timer can be', idleMs: 2 ** 40 },
  ])('says nothing where $name', async ({ idleMs }) => {
    vi.useFakeTimers();
    const onIdle = vi.fn<() => void>();
    await new Activity(() => idleMs, onIdle).during(() => Promise.resolve());
    await vi.advanceTimersByTimeAsync(24 * 60 * 60 * 1000);
    expect(onIdle).not.toHaveBeenCalled();
    vi.useRealTimers();
  });

  it('settles when nothing runs any more, also where that which ran has failed', async () => {
    const activity = new Activity(
      () => undefined,
      () => undefined,
    );
    await activity.settled();
    const failing = activity.during(() => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    await activity.settled();
  });
});
