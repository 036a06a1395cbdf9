import { expect, test } from '@jest/globals';
import { renderRemovedRoots } from './removed-roots.ts';

const headSha = 'a'.repeat(40);

test('roots that are gone are named, each with what stays', () => {
  expect(renderRemovedRoots({ headSha, rootNames: ['net', 'dns'], isUnsure: false })).toMatchObject({
    name: 'nereid/removed',
    conclusion: 'neutral',
    title: '2 roots were removed; their resources remain',
    summary: expect.stringMatching(/^- net is removed, .*\n- dns is removed, /),
  });
});

test('where nobody knows which roots there were, it says so', () => {
  const { title, summary } = renderRemovedRoots({ headSha, rootNames: [], isUnsure: true });

  expect(title).toBe('Roots may have been removed; their resources remain');
  expect(summary).toContain('The configuration of the commit before cannot be read');
});
