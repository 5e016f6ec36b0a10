import { expect, it } from 'vitest';
import { newEventId } from '../../src/usage/event-id.ts';

it('makes ids that are UUIDs and sort in the order in which they were made', () => {
  const ids = [1_000, 1_000, 1_000, 1_790_000_000_000, 1_790_000_000_000, 1_790_000_000_001].map(newEventId);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(6);
  expect(ids.filter((id) => !/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toEqual(
    [],
  );
});
