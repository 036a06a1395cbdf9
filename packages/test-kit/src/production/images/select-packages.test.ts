import { expect, test } from '@jest/globals';
import { selectPackages, type LockedPackage } from './select-packages.ts';

const LOCK = {
  lockfileVersion: 3,
  packages: {
    '': { name: 'all', workspaces: ['apps/*', 'packages/*'], devDependencies: { linter: '1' } },
    'apps/door': {
      name: '@all/door',
      dependencies: { '@all/names': '*', web: '2' },
      devDependencies: { '@all/kit': '*' },
    },
    'packages/names': { name: '@all/names', dependencies: { web: '1' } },
    'packages/names/node_modules/web': { version: '1.0.0' },
    'packages/kit': { name: '@all/kit', dependencies: { heavy: '1' } },
    'node_modules/@all/door': { link: true, resolved: 'apps/door' },
    'node_modules/@all/names': { link: true, resolved: 'packages/names' },
    'node_modules/@all/kit': { link: true, resolved: 'packages/kit' },
    'node_modules/web': { version: '2.0.0', dependencies: { part: '1' }, optionalDependencies: { 'of-a-mac': '1' } },
    'node_modules/web/node_modules/part': { version: '1.0.0', peerDependencies: { beside: '1' } },
    'node_modules/part': { version: '2.0.0' },
    'node_modules/beside': { version: '1.0.0' },
    'node_modules/heavy': { version: '1.0.0' },
    'node_modules/linter': { version: '1.0.0' },
  } satisfies Record<string, LockedPackage>,
};

test('a workspace needs its dependencies and theirs, each where Node finds it', () => {
  expect(Object.keys(selectPackages(LOCK, ['@all/door']).packages)).toEqual([
    '',
    'apps/door',
    'packages/names',
    'packages/names/node_modules/web',
    'node_modules/@all/door',
    'node_modules/@all/names',
    'node_modules/web',
    'node_modules/web/node_modules/part',
    'node_modules/beside',
  ]);
});

test('nothing of development is left', () => {
  const { packages } = selectPackages(LOCK, ['@all/door']);

  expect(packages['']).toEqual({ name: 'all', workspaces: ['apps/door', 'packages/names'] });
  expect(packages['apps/door']).toEqual({ name: '@all/door', dependencies: { '@all/names': '*', web: '2' } });
});

test.each([
  ['a workspace that is none', LOCK.packages, /expected @all\/lane to be a workspace, found none/, '@all/lane'],
  [
    'a package that is not in the lock file',
    { ...LOCK.packages, 'packages/names': { dependencies: { gone: '1' } } },
    /expected gone, which packages\/names needs, in package-lock.json, found none; run npm install/,
    '@all/names',
  ],
])('%s is named', (_what, packages, words, workspace) => {
  expect(() => selectPackages({ packages }, [workspace])).toThrow(words);
});
