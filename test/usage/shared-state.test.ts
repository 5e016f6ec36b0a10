import { expect, it } from 'vitest';
import { SharedState } from '../../src/usage/shared-state.ts';
import { postgresPrograms } from './postgres.ts';
import { usePostgres } from './stores.ts';

const postgres = usePostgres();

it.skipIf(postgresPrograms === undefined)(
  'is there again when its database is, also where that was away at the start',
  async () => {
    const server = postgres();
    const url = await server.newDatabase();
    await server.stop();
    const state = new SharedState({ kind: 'postgres', url });
    const later = Date.now() + 60_000;
    for (const use of [() => state.put('a', 'x', later), () => state.get('a'), () => state.claim('b', later)]) {
      await expect(use()).rejects.toMatchObject({
        code: 'usage/unavailable',
        message: expect.not.stringMatching(/127\.0\.0\.1|refused/i),
      });
    }
    await server.start();
    await state.put('a', 'x', later);
    expect([await state.get('a'), await state.claim('b', later), await state.claim('b', later)]).toEqual([
      'x',
      true,
      false,
    ]);
    await server.stop();
    await expect(state.get('a')).rejects.toMatchObject({ code: 'usage/unavailable' });
    await server.start();
    expect(await state.get('a')).toBe('x');
    await state.close();
  },
);
