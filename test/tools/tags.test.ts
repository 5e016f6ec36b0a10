import { describe, expect, it } from 'vitest';

import { tagsOf } from '../../src/tools/tags.ts';

const plain = { id: 'github__x', server: 'GitHub Enterprise', annotations: {}, serverTags: [], tagRules: [] };

describe('tagsOf', () => {
  it.each([
    { tool: 'create_issue', action: 'create' },
    { tool: 'listPullRequests', action: 'read' },
    { tool: 'search-code', action: 'search' },
    { tool: 'issues.delete', action: 'delete' },
    { tool: 'updateHTTPRoute', action: 'update' },
    { tool: 'slack_post_message', action: 'send' },
    { tool: 'runTests', action: 'run' },
    { tool: 'weather', action: undefined },
    { tool: 'widget', action: undefined },
  ])('infers the action $action from the name $tool', ({ tool, action }) => {
    const expected = ['domain:github-enterprise', ...(action === undefined ? [] : [`action:${action}`])];
    expect(tagsOf({ ...plain, tool })).toEqual(expected);
  });

  it.each([
    { name: 'a reading tool of an odd name', tool: 'weather', readOnlyHint: true, action: 'action:read' },
    { name: 'a search that says it only reads', tool: 'search_code', readOnlyHint: true, action: 'action:search' },
    { name: 'a name that sounds like changing', tool: 'set_of_primes', readOnlyHint: true, action: 'action:read' },
    { name: 'a name that sounds like reading', tool: 'open_issue', readOnlyHint: false, action: undefined },
  ])('believes the annotations of $name', ({ tool, readOnlyHint, action }) => {
    const tags = tagsOf({ ...plain, tool, annotations: { readOnlyHint } });
    expect(tags.find((tag) => tag.startsWith('action:'))).toBe(action);
  });

  it('puts what was said before what is inferred, without repeats, and infers nothing that was said', () => {
    const tags = tagsOf({
      ...plain,
      id: 'github__delete_repo',
      tool: 'delete_repo',
      serverTags: ['domain:code', 'team'],
      tagRules: [
        { match: '*__delete_*', tags: ['action:remove', 'team'] },
        { match: 'gitlab__*', tags: ['never'] },
      ],
    });
    expect(tags).toEqual(['domain:code', 'team', 'action:remove']);
  });
});
