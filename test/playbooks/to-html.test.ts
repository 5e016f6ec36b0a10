import { describe, expect, it } from 'vitest';
import { toHtml } from '../../src/playbooks/to-html.ts';

const html = (body: string): string =>
  toHtml(body, { linkTo: (target) => (target === 'known.md' || target === 'known' ? '#known' : undefined) }).trim();

describe('toHtml', () => {
  it.each([
    { name: 'a heading below those of the page', body: '# One', expected: '<h3>One</h3>' },
    {
      name: 'a tag as text',
      body: 'x <b onclick="y">z</b>',
      expected: '<p>x &lt;b onclick=&quot;y&quot;&gt;z&lt;/b&gt;</p>',
    },
    { name: 'a link to a playbook', body: '[text](known.md#part)', expected: '<p><a href="#known">text</a></p>' },
    { name: 'a wiki link', body: '[[known|the *text*]]', expected: '<p><a href="#known">the *text*</a></p>' },
    { name: 'a bare id', body: 'playbook://known', expected: '<p><a href="#known">playbook://known</a></p>' },
    {
      name: 'a script as a link that leads nowhere',
      body: '[x](javascript:alert(1))',
      expected: '<p><span class="nowhere">x</span></p>',
    },
    {
      name: 'an image as its text',
      body: '![a <b>](https://example.com/x.png)',
      expected: '<p>[image: a &lt;b&gt;]</p>',
    },
  ])('shows $name', ({ body, expected }) => {
    expect(html(body)).toBe(expected);
  });

  it('opens the web in a page of its own that learns nothing of this one', () => {
    expect(html('<https://example.com/?a=1&b=2>')).toBe(
      '<p><a href="https://example.com/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">https://example.com/?a=1&amp;b=2</a></p>',
    );
  });

  it('writes no style into a table', () => {
    expect(html('| a |\n|:-:|\n| b |')).not.toContain('style');
  });
});
