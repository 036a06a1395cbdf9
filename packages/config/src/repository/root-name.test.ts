import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isRootName, nameDiscoveredRoots, rootNameOf } from './root-name.ts';

describe('a name made from a directory', () => {
  test.each([
    ['.', 'root'],
    ['infra/network', 'infra-network'],
    ['infra/über net', 'infra--ber-net'],
    ['.hidden/a', 'hidden-a'],
  ])('the directory %s makes the name %s', (dir, name) => {
    expect(rootNameOf(dir)).toBe(name);
  });

  test('is always one that a root may have', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 300, unit: 'binary' }), (dir) => isRootName(rootNameOf(dir))),
    );
  });
});

describe('names of discovered directories', () => {
  test('are plain where nothing collides', () => {
    expect([...nameDiscoveredRoots(['a/b', 'c'])]).toEqual([
      ['a/b', 'a-b'],
      ['c', 'c'],
    ]);
  });

  test('get a short hash of their directory where they collide', () => {
    const names = nameDiscoveredRoots(['a/b', 'a-b']);

    expect(names.get('a/b')).toMatch(/^a-b-[0-9a-f]{8}$/);
    expect(names.get('a-b')).toMatch(/^a-b-[0-9a-f]{8}$/);
    expect(names.get('a/b')).not.toBe(names.get('a-b'));
  });

  test('do not take a name that is taken', () => {
    expect(nameDiscoveredRoots(['a/b'], ['A-B']).get('a/b')).toMatch(/^a-b-[0-9a-f]{8}$/);
  });

  test('do not depend on the order of the directories', () => {
    expect(nameDiscoveredRoots(['a-b', 'a/b']).get('a/b')).toBe(nameDiscoveredRoots(['a/b', 'a-b']).get('a/b'));
  });
});
