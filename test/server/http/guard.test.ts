import { expect, it } from 'vitest';
import { hostGuard } from '../../../src/server/http/guard.ts';

const limits = { callsPerMinute: 1, maxBodyBytes: 1, targetHeader: false };
const config = { ...limits, tokens: [], publicUrl: 'https://known.example.com/mcp' };
const guard = hostGuard({ host: '127.0.0.1', port: 8321 }, () => config);
const answer = (headers: Record<string, string>) => guard(new Request('http://127.0.0.1:8321/mcp', { headers }));

it.each([
  {
    name: 'a host',
    headers: { Host: 'other.example.com' },
    said: /other\.example\.com.*`http\.publicUrl` or `http\.hosts`/,
  },
  {
    name: 'an origin',
    headers: { Host: 'known.example.com', Origin: 'https://a.example.com' },
    said: /a\.example\.com.*`http\.origins`/,
  },
])('refuses $name that it does not know, and names the key that would let it in', async ({ headers, said }) => {
  const refused = answer(headers);
  expect(refused?.status).toBe(403);
  expect(await refused?.text()).toMatch(said);
});

it('lets a request for the public address go on', () => {
  expect(answer({ Host: 'known.example.com', Origin: 'https://known.example.com' })).toBeUndefined();
});
