import { expect, test } from '@jest/globals';
import { githubApiUrlOf, githubUrlOf } from './hosts.ts';

test.each([
  ['https://github.com', 'https://api.github.com'],
  ['https://acme.ghe.com', 'https://api.acme.ghe.com'],
  ['https://github.acme.example', 'https://github.acme.example/api/v3'],
  ['https://ghe.com.acme.example', 'https://ghe.com.acme.example/api/v3'],
])('GitHub at %s has its API at %s', (url, apiUrl) => {
  expect(githubApiUrlOf(url)).toBe(apiUrl);
  expect(githubUrlOf(apiUrl)).toBe(url);
});
