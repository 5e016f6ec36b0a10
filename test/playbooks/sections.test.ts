import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { leadSection, outlineOf, sectionOf } from '../../src/playbooks/sections.ts';

const body = `Preamble.

# Roll *back*

## Check first

Look.

### Deep \`code\`

Deeper.

Verify
------

Done?

## Check first

\`\`\`
# not a heading
\`\`\`

> # quoted

# End!`;

describe('the outline', () => {
  it('has every heading with its anchor, but none from code and quotes', () => {
    expect(outlineOf(body)).toEqual([
      { text: 'Roll back', level: 1, slug: 'roll-back', line: 3 },
      { text: 'Check first', level: 2, slug: 'check-first', line: 5 },
      { text: 'Deep code', level: 3, slug: 'deep-code', line: 9 },
      { text: 'Verify', level: 2, slug: 'verify', line: 13 },
      { text: 'Check first', level: 2, slug: 'check-first-1', line: 18 },
      { text: 'End!', level: 1, slug: 'end', line: 26 },
    ]);
  });

  it.each([
    { name: 'punctuation', heading: 'C++ & "Rust": 2.0?', slug: 'c--rust-20' },
    { name: 'other scripts', heading: 'Откат релиза 手順', slug: 'откат-релиза-手順' },
    { name: 'links', heading: 'See [the docs](x.md)', slug: 'see-the-docs' },
    { name: 'underscores and dashes', heading: 'a_b - c', slug: 'a_b---c' },
  ])('makes anchors as GitHub does for $name', ({ heading, slug }) => {
    expect(outlineOf(`# ${heading}`)[0]?.slug).toBe(slug);
  });

  it('has each anchor once, whatever the headings', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'a-1', 'A', 'a 1', 'a-1-1', '!')), (headings) => {
        const slugs = outlineOf(headings.map((text) => `# ${text}`).join('\n')).map(({ slug }) => slug);
        expect(new Set(slugs).size).toBe(headings.length);
      }),
    );
  });
});

describe('a section', () => {
  it.each([
    { name: 'its anchor', heading: 'check-first', expected: '## Check first\n\nLook.\n\n### Deep `code`\n\nDeeper.' },
    {
      name: 'its text in any case',
      heading: 'CHECK FIRST',
      expected: '## Check first\n\nLook.\n\n### Deep `code`\n\nDeeper.',
    },
    {
      name: 'the anchor of a repeat',
      heading: 'check-first-1',
      expected: '## Check first\n\n```\n# not a heading\n```\n\n> # quoted',
    },
    { name: 'a heading of two lines', heading: 'Verify', expected: 'Verify\n------\n\nDone?' },
    { name: 'text with marks', heading: ' End! ', expected: '# End!' },
    { name: 'nothing', heading: 'not a heading', expected: undefined },
  ])('is found by $name, and ends where its level does', ({ heading, expected }) => {
    expect(sectionOf(body, heading)).toBe(expected);
  });
});

describe('the lead', () => {
  it.each([
    { name: 'first section with a text', text: '# T\n\n## A\n\nOne.\n\n## B\n\nTwo.', lead: '# T\n\n## A\n\nOne.' },
    { name: 'introduction under the title', text: '# T\n\nIntro.\n\n## A\n\nOne.', lead: '# T\n\nIntro.' },
    {
      name: 'preamble and the section behind it',
      text: 'Pre.\n\n# A\n\nOne.\n\n# B\n\nTwo.',
      lead: 'Pre.\n\n# A\n\nOne.',
    },
    { name: 'two-line title is no text', text: 'T\n=\n\nA\n-\n\nOne.\n\nB\n-\n', lead: 'T\n=\n\nA\n-\n\nOne.' },
    { name: 'whole where there are no headings', text: 'One.\n\nTwo.', lead: 'One.\n\nTwo.' },
    { name: 'whole where no section has a text', text: '# A\n\n# B', lead: '# A\n\n# B' },
  ])('is the $name', ({ text, lead }) => {
    expect(leadSection(text)).toBe(lead);
  });
});
