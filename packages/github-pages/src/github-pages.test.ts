import { expect, test } from '@jest/globals';
import { githubPages } from './index.ts';

const INFRA = { owner: 'acme', name: 'infra' };

test.each(['https://ghe.example/git', 'https://ghe.example/git/'])('pages keep the path under %s', (webUrl) => {
  const pages = githubPages(webUrl);

  expect(pages.commit(INFRA, 'abc')).toBe('https://ghe.example/git/acme/infra/commit/abc');
  expect(pages.pullRequest(INFRA, 12)).toBe('https://ghe.example/git/acme/infra/pull/12');
  expect(pages.status(INFRA, 7)).toBe('https://ghe.example/git/acme/infra/runs/7');
  expect(pages.file(INFRA, 'abc', 'nereid.yaml')).toBe('https://ghe.example/git/acme/infra/blob/abc/nereid.yaml');
});
