import { expect, test } from '@jest/globals';
import { namedRepositories } from './named-repositories.ts';

const [INFRA, SECRET] = [
  { owner: 'acme', name: 'infra' },
  { owner: 'acme', name: 'secret' },
];

test.each([
  ['the message itself', { ...INFRA, installationId: 1 }],
  ['a field', { repository: INFRA }],
  ['a full name', { version: 1, repository: 'acme/infra' }],
  ['a list, deep inside', { a: [{ b: [INFRA] }] }],
])('a repository is found: %s', (_where, message) => {
  expect(namedRepositories(message)).toEqual([INFRA]);
});

test('of several, all are found, each once', () => {
  const found = namedRepositories({ repository: INFRA, before: { repository: 'acme/secret' }, again: [INFRA] });

  expect(found).toHaveLength(2);
  expect(found).toEqual(expect.arrayContaining([INFRA, SECRET]));
});

test.each([
  ['a text', 'acme/infra'],
  ['a number', 7],
  ['nothing', null],
  ['fields that are no repository', { owner: 'acme', repository: 'infra', name: null }],
  ['one that is deeper than ours are', deeply(60)],
  ['more than ours have', Array.from({ length: 200 }, (_, index) => ({ ...INFRA, name: `r${index}` }))],
])('nobody can say whose it is: %s', (_what, message) => {
  expect(namedRepositories(message)).toBeUndefined();
});

function deeply(levels: number): unknown {
  return levels === 0 ? INFRA : { inside: deeply(levels - 1) };
}
