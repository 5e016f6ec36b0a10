import { describe, expect, it } from 'vitest';
import { seedFolder } from '../server/product.ts';
import { runCli } from './run-cli.ts';

const repository = seedFolder({
  '.playbooks/rollback.md':
    '---\ndescription: Roll back a bad release.\nexamples:\n  - roll back the release\n  - give customers their money\nnot-examples: publish it\n---\nx\n',
  '.playbooks/refund.md':
    '---\ndescription: Give customers their money back.\nexamples: [give customers money]\nnot-examples: [give money, water it]\n---\nx\n',
  '.playbooks/old.md':
    '---\ndescription: Roll back by hand.\nstatus: deprecated\nexamples: [sacrifice a goat]\n---\nx\n',
  '.playbooks/bare.md': '---\ndescription: Water the plants.\n---\nx\n',
});
const evaluate = (...args: readonly string[]): ReturnType<typeof runCli> =>
  runCli(['--no-starter', 'eval', ...args], { cwd: repository });

interface Report {
  readonly passed: boolean;
  readonly totals: Readonly<Record<string, number>>;
  readonly playbooks: readonly {
    readonly id: string;
    readonly examples: readonly { readonly heldOut: { readonly rank: number | null }; readonly asServed: object }[];
  }[];
  readonly withoutExamples: readonly string[];
}

const reportOf = (stdout: string): Report => JSON.parse(stdout) as Report;

describe('eval', () => {
  it('asks each example with itself left out of the index, and as served, and names what took its place', () => {
    const { code, stdout } = evaluate('--json', 'rollback', '--k', '2');
    expect(code).toBe(1);
    expect(reportOf(stdout)).toMatchObject({
      passed: false,
      totals: { examples: 2, first: 1, found: 1, foundAsServed: 2 },
      playbooks: [
        {
          id: 'rollback',
          examples: [
            { heldOut: { rank: 1, first: null } },
            { heldOut: { rank: null, first: 'refund' }, asServed: { rank: 2 } },
          ],
        },
      ],
    });
  });

  it('fails where a not-example finds its playbook, and says where', () => {
    const { code, stdout, stderr } = evaluate('refund', '--min-recall', '0');
    expect(code).toBe(1);
    expect(stdout).toMatch(/hit refund: not-example "give money" finds it at place 1/);
    expect(stdout).not.toContain('not-example "water it"');
    expect(stderr).toContain('1 of 2 not-examples');
  });

  it('passes where enough is found, and leaves out what search should not put first', () => {
    const { code, stdout } = evaluate('.playbooks/rollback.md', 'old', 'bare', '--min-recall', '0.5');
    expect(code).toBe(0);
    expect(stdout).toMatch(/all 1 {2,}2 {2,}1/);
    expect(stdout).not.toContain('old');
  });

  it('with --strict fails where a playbook has no examples, and names it', () => {
    expect(evaluate('bare')).toMatchObject({ code: 0, stderr: expect.stringContaining('1 playbook has no examples') });
    expect(evaluate('bare', '--strict')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no examples: bare'),
    });
  });

  it('says below each failure what to change', () => {
    const { stdout } = evaluate('--k', '1');
    expect(stdout).toMatch(
      /missed rollback: "give customers their money" finds refund first.*\n {2}refund says "give", "customers", "money"\. This playbook lacks "give", "customers", "money": say so in its description\. If refund is the right answer, move the example there\./,
    );
    expect(stdout).toMatch(
      /hit refund: not-example "give money".*\n {2}Its name, description, tags or examples say "give", "money": take out/,
    );
    const [refund] = reportOf(evaluate('--json', 'refund').stdout).playbooks;
    expect(refund).toMatchObject({
      notExamples: [{ remedy: expect.stringContaining('take out') }, { query: 'water it', remedy: null }],
    });
    expect(evaluate('--format', 'github').stdout).toMatch(/title=hit-not-example::[^\n]*take out/);
  });

  it('says which words to say where an example finds nothing', () => {
    const cwd = seedFolder({
      '.playbooks/x.md': '---\ndescription: Water the plants.\nexamples: [sacrifice a goat]\n---\nx\n',
    });
    expect(runCli(['--no-starter', 'eval'], { cwd }).stdout).toContain('Say "sacrifice", "goat" in its description');
  });

  it('annotates the file and the field for GitHub', () => {
    const { stdout } = evaluate('--format', 'github');
    expect(stdout).toMatch(/^::error file=\.playbooks\/refund\.md,line=4,col=\d+,title=hit-not-example::/m);
    expect(stdout).toMatch(/^::\w+ file=\.playbooks\/rollback\.md,line=4,col=\d+,title=missed-example::[^\n]*money/m);
  });

  it.each([
    { name: 'a share that is none', args: ['--min-recall', '90'], says: 'not a share' },
    { name: 'no number of places', args: ['--k', '0'], says: 'not a number of places' },
    { name: 'an unknown id', args: ['rolback'], says: 'Closest: rollback' },
    { name: 'a folder outside of the catalog', args: [seedFolder({ 'x.md': 'x' })], says: '--playbooks' },
  ])('exits 2 for $name', ({ args, says }) => {
    expect(evaluate(...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(says) });
  });
});
