import { describe, expect, test } from '@jest/globals';
import { isInScope, type Scope } from './scope.ts';

const NETWORK = { repository: 'acme/infra', root: { name: 'network', dirs: ['prod/network', 'links/network'] } };

const scope = (more: Partial<Scope>): Scope => ({ repositories: [], roots: [], ...more });

describe('a root is in a scope', () => {
  test.each<[string, Partial<Scope>, boolean]>([
    ['that names nothing', {}, true],
    ['of its repository', { repositories: ['acme/app', 'acme/i*'] }, true],
    ['of its real directory', { roots: ['prod/**'] }, true],
    ['of the directory of its link', { roots: ['links'] }, true],
    ['of its name', { roots: ['name:net*'] }, true],
    ['but not of another repository, whatever the root', { repositories: ['acme/app'], roots: ['prod'] }, false],
    ['but not of another directory, whatever the repository', { repositories: ['acme/*'], roots: ['dev'] }, false],
  ])('%s', (_what, more, expected) => {
    expect(isInScope(scope(more), NETWORK)).toBe(expected);
  });
});

test('something about no repository or no root is in no scope that names some', () => {
  expect(isInScope(scope({}), {})).toBe(true);
  expect(isInScope(scope({ repositories: ['**'] }), {})).toBe(false);
  expect(isInScope(scope({ roots: ['**'] }), { repository: 'acme/infra' })).toBe(false);
});
