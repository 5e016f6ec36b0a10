import { describe, expect, it } from 'vitest';
import { ConfirmCodes } from '../../src/server/confirm-codes.ts';

const call = { id: 'db__drop', arguments: { table: 'users', options: { cascade: true, n: 1 } }, caller: 'a' };

describe('ConfirmCodes', () => {
  it('takes a code once', async () => {
    const codes = new ConfirmCodes();
    const code = codes.issue(call);
    expect(await codes.redeem(` ${code}\n`, call)).toBe('good');
    expect(await codes.redeem(code, call)).toBe('spent');
  });

  it('takes a code for arguments whose keys come in another order', async () => {
    const codes = new ConfirmCodes();
    const reordered = { ...call, arguments: { options: { n: 1, cascade: true }, table: 'users' } };
    expect(await codes.redeem(codes.issue(call), reordered)).toBe('good');
  });

  it.each([
    { name: 'another tool', other: { ...call, id: 'db__truncate' } },
    { name: 'other arguments', other: { ...call, arguments: { ...call.arguments, table: 'orders' } } },
    { name: 'another caller', other: { ...call, caller: 'b' } },
  ])('refuses a code for $name, and does not spend it', async ({ other }) => {
    const codes = new ConfirmCodes();
    const code = codes.issue(call);
    expect(await codes.redeem(code, other)).toBe('foreign');
    expect(await codes.redeem(code, call)).toBe('good');
  });

  it('leaves a code as good as it was where no replica can be asked whether it is spent', async () => {
    let isAway = true;
    const codes = new ConfirmCodes({
      claim: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(true)),
    });
    const code = codes.issue(call);
    await expect(codes.redeem(code, call)).rejects.toThrow('away');
    isAway = false;
    expect(await codes.redeem(code, call)).toBe('good');
    expect(await codes.redeem(code, call)).toBe('spent');
  });

  it('refuses a code of another process, and any other text', async () => {
    const codes = new ConfirmCodes();
    expect(await codes.redeem(new ConfirmCodes().issue(call), call)).toBe('foreign');
    for (const text of ['', 'yes', '..', `zzzzzz.AAAAAAAA.${'A'.repeat(22)}`]) {
      expect(await codes.redeem(text, call)).toBe('foreign');
    }
  });

  it('refuses a code after ten minutes, and one whose time was changed', async () => {
    let now = 1_000_000;
    const codes = new ConfirmCodes({ now: () => now });
    const code = codes.issue(call);
    now += 599_000;
    expect(await codes.redeem(codes.issue(call), call)).toBe('good');
    now += 1_000;
    expect(await codes.redeem(code, call)).toBe('expired');
    expect(await codes.redeem(code.replace(/^\w+/, 'zzzzzz'), call)).toBe('foreign');
  });
});
