import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildCatalog, type Catalog } from '../../src/catalog/catalog.ts';
import { resolveReferences } from '../../src/catalog/references.ts';
import { repointReferences } from '../../src/catalog/repoint.ts';
import type { Playbook, PlaybookEntry } from '../../src/model.ts';
import { seed, source, text } from '../seed.ts';

const others = {
  'ops/old.md': text('Old.', '## How'),
  'ops/new (1).md': text('New.', '## How'),
  'ops/skill/SKILL.md': text('Skill.'),
  'third.md': text('Third.'),
};
const elsewhere = seed({ 'far.md': text('Far.') }, source('other'));

function repoint(user: string, to: string): { kind: string; text?: string; leadsTo?: readonly string[] } {
  const catalog = catalogWith(user);
  const outcome = repointReferences(catalog, fileOf(user), { from: entry(catalog, 'ops/old'), to: entry(catalog, to) });
  if (outcome.kind !== 'edited') return { kind: outcome.kind };
  const after = new TextDecoder().decode(outcome.bytes);
  const edited = catalogWith(after);
  const { playbooks } = resolveReferences(edited, entry(edited, 'ops/user').playbook);
  return { kind: 'edited', text: after, leadsTo: playbooks.map(({ id }) => id) };
}

function catalogWith(user: string): Catalog {
  return buildCatalog({ playbooks: [...seed({ ...others, 'ops/user.md': user }), ...elsewhere], tools: [] });
}

function entry({ byId }: Catalog, id: string): PlaybookEntry {
  const found = byId.get(id);
  if (found?.kind !== 'playbook') throw new Error(`no ${id}`);
  return found;
}

function fileOf(user: string): Playbook & { readonly bytes: Uint8Array } {
  const [playbook] = seed({ 'ops/user.md': user });
  if (playbook === undefined) throw new Error('no playbook');
  return { ...playbook, bytes: new TextEncoder().encode(user) };
}

describe('repointReferences', () => {
  it.each([
    { name: 'a path', from: '[a](old.md)', to: '[a](new%20%281%29.md)' },
    { name: 'a path without an ending', from: '[a](../ops/old)', to: '[a](new%20%281%29)' },
    {
      name: 'a path in angle brackets, with a title',
      from: '[a](<./old.md> "t")',
      to: '[a](<./new%20%281%29.md> "t")',
    },
    { name: 'a heading that the other one has', from: '[a](old.md#how)', to: '[a](new%20%281%29.md#how)' },
    { name: 'a heading that the other one has not', from: '[a](old.md#why)', to: '[a](new%20%281%29.md)' },
    {
      name: 'a definition that several links share',
      from: '[a][x] [x]\n\n> [x]: old.md',
      to: '[a][x] [x]\n\n> [x]: new%20%281%29.md',
    },
    { name: 'an image before it', from: '![old](old.md) [![i](old.md)](old.md)', to: undefined },
    {
      name: 'a link in a table',
      from: '| a | b |\n|-|-|\n| \\| [a](old.md) | [[old\\|b]] |',
      to: '| a | b |\n|-|-|\n| \\| [a](new%20%281%29.md) | [[ops/new (1)\\|b]] |',
    },
    {
      name: 'a bare URI at the end of a sentence',
      from: 'See playbook://ops/old.',
      to: 'See playbook://ops/new%20%281%29.',
    },
    {
      name: 'a URI as its own text',
      from: '[playbook://old](playbook://old)',
      to: '[playbook://old](playbook://ops/new%20%281%29)',
    },
    {
      name: 'code and comments beside it',
      from: '`[a](old.md)` <!-- [a](old.md) --> [a](old.md)',
      to: '`[a](old.md)` <!-- [a](old.md) --> [a](new%20%281%29.md)',
    },
    { name: 'a path with an entity', from: '[a](ol&#100;.md)', to: undefined },
  ])('changes $name, or nothing', ({ from, to }) => {
    const outcome = repoint(text('User.', from), 'ops/new (1)');
    if (to === undefined) expect(outcome.kind).toBe('refused');
    else expect(outcome).toEqual({ kind: 'edited', text: text('User.', to), leadsTo: ['ops/new (1)'] });
  });

  it.each([
    {
      name: 'a list',
      from: 'references: [ops/old, "third", \'old\'] # c',
      to: 'references: [third, "third", \'third\'] # c',
    },
    { name: 'lines', from: 'references:\n  - third\n  # c\n  - old', to: 'references:\n  - third\n  # c\n  - third' },
    { name: 'a quoted text with commas', from: "references: 'old,x'", to: "references: 'third,x'" },
    {
      name: 'a text with commas',
      from: 'references: old,  ops/old-er , "x"',
      to: 'references: third,  ops/old-er , "x"',
    },
  ])('changes the front matter: $name', ({ from, to }) => {
    expect(repoint(text('User.', 'x', from), 'third')).toMatchObject({ kind: 'edited', text: text('User.', 'x', to) });
  });

  it('writes a URI where a path would leave the source', () => {
    expect(repoint(text('User.', '[a](old.md) [[old]]'), 'far').text).toBe(
      text('User.', '[a](playbook://far) [[far]]'),
    );
  });

  it('leaves a playbook that does not lead there', () => {
    expect(repoint(text('User.', '[a](../third.md) `[[old]]`'), 'third')).toEqual({ kind: 'unchanged' });
  });

  it('changes nothing but the references, in any mixture of them', () => {
    const target = fc.constantFrom('old', 'ops/old', 'third', 'ops/skill', 'gone');
    const path = fc.constantFrom(
      'old.md',
      './old',
      '../ops/old.md',
      '../third.md',
      'skill/',
      'skill/SKILL.md',
      'gone.md',
      'https://old',
    );
    const piece = fc.oneof(
      path.map((to) => `[a](${to})`),
      path.map((to) => `[\`]\`b](${to}#how "t")`),
      target.map((to) => `[[${to}]]`),
      target.map((to) => `[[ ${to}#how|t ]]`),
      target.map((to) => `playbook://${to},`),
      path.map((to) => `\`[a](${to})\``),
      path.map((to) => `\n\n~~~\n[a](${to})\n~~~\n\n`),
      fc.stringMatching(/^[a-z :.,*_\n-]{0,12}$/),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.constantFrom('third', 'ops/skill', 'far'), (pieces, to) => {
        const before = text('User.', `x ${pieces.join(' ')} x`);
        const outcome = repoint(before, to);
        const edited = catalogWith(before);
        const leads = resolveReferences(edited, entry(edited, 'ops/user').playbook).playbooks.map(({ id }) => id);
        if (!leads.includes('ops/old')) {
          expect(outcome).toEqual({ kind: 'unchanged' });
          return;
        }
        expect(outcome.kind).toBe('edited');
        expect(new Set(outcome.leadsTo)).toEqual(new Set(leads.map((id) => (id === 'ops/old' ? to : id))));
        expect(outcome.text?.split('\n')).toHaveLength(before.split('\n').length);
      }),
      { numRuns: 200 },
    );
  });
});
