import { describe, expect, it } from 'vitest';
import { isLoopback, ownNames, parseAddress } from '../../../src/server/http/address.ts';

describe('parseAddress', () => {
  it.each([
    { written: '', host: '127.0.0.1', port: 8321 },
    { written: '9000', host: '127.0.0.1', port: 9000 },
    { written: ':9000', host: '127.0.0.1', port: 9000 },
    { written: '0.0.0.0:9000', host: '0.0.0.0', port: 9000 },
    { written: '[::1]:9000', host: '::1', port: 9000 },
    { written: '[::1]', host: '::1', port: 8321 },
    { written: 'localhost', host: 'localhost', port: 8321 },
    { written: 'box.lan:0', host: 'box.lan', port: 0 },
  ])('reads "$written"', ({ written, host, port }) => {
    expect(parseAddress(written)).toEqual({ host, port });
  });

  it.each(['::1:80', '99999', 'a:b', 'http://x:1', 'a b:1', '[]:1 x', ':'])('refuses "%s"', (written) => {
    expect(() => parseAddress(written)).toThrow(/no address/);
  });
});

describe('isLoopback', () => {
  it.each([
    { host: 'localhost', is: true },
    { host: '127.1.2.3', is: true },
    { host: '::1', is: true },
    { host: '0.0.0.0', is: false },
    { host: '::', is: false },
    { host: '10.0.0.1', is: false },
    { host: '127.evil.example.com', is: false },
  ])('$host: $is', ({ host, is }) => {
    expect(isLoopback(host)).toBe(is);
  });
});

it('knows a server that listens everywhere by every name of its machine', () => {
  expect(ownNames('0.0.0.0')).toEqual(expect.arrayContaining(['localhost', '127.0.0.1', '[::1]']));
  expect(ownNames('10.0.0.1')).toEqual(['10.0.0.1']);
});
