import { describe, expect, it } from 'vitest';
import { nearestWord } from '../../src/config/index.ts';

const keys = ['sources', 'starter', 'mcpServers', 'servers', 'search', 'usage'];

describe('nearestWord', () => {
  it.each([
    { name: 'a missing letter', word: 'startr', expected: 'starter' },
    { name: 'a letter too many', word: 'soources', expected: 'sources' },
    { name: 'swapped neighbours', word: 'uasge', expected: 'usage' },
    { name: 'other case', word: 'McpServers', expected: 'mcpServers' },
    { name: 'another word', word: 'mcp_server', expected: 'mcpServers' },
    { name: 'nothing near', word: 'telemetry', expected: undefined },
    { name: 'an empty word', word: '', expected: undefined },
  ])('finds $expected for $name', ({ word, expected }) => {
    expect(nearestWord(word, keys)).toBe(expected);
  });
});
