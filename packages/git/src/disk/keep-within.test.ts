import { expect, test } from '@jest/globals';
import { keepWithin, type KeptBeside, type KeptRepository } from './keep-within.ts';

const TREE_BYTES = 10;

/** A repository with a mirror of 100 bytes and idle trees of 10 each. What is removed is told to `removed`. */
function aRepository(path: string, more: Partial<KeptRepository> & { readonly trees?: number } = {}) {
  let trees = more.trees ?? 0;
  const removed: string[] = [];
  const repository: KeptRepository = {
    path,
    mirrorBytes: 100,
    idleTreeBytes: trees * TREE_BYTES,
    usedAt: 0,
    removeIdleTree() {
      if (trees === 0) return Promise.resolve(undefined);
      trees -= 1;
      removed.push('tree');
      return Promise.resolve(TREE_BYTES);
    },
    removeMirror() {
      removed.push('mirror');
      return Promise.resolve(true);
    },
    ...more,
  };
  return { repository, removed };
}

test('within the budget nothing goes', async () => {
  const { repository, removed } = aRepository('acme/a', { trees: 2 });

  const use = await keepWithin(120, [repository]);

  expect(use).toMatchObject({ mirrorBytes: 100, idleTreeBytes: 20, removedMirrors: [], removedTrees: 0 });
  expect(removed).toEqual([]);
});

test('the repository that was not used for longest gives first, its trees before its mirror, and no more than it must', async () => {
  const old = aRepository('acme/old', { usedAt: 1, trees: 1 });
  const next = aRepository('acme/next', { usedAt: 2, trees: 3 });
  const newest = aRepository('acme/newest', { usedAt: 3, trees: 1 });

  const use = await keepWithin(230, [newest.repository, old.repository, next.repository]);

  expect([old.removed, next.removed, newest.removed]).toEqual([['tree', 'mirror'], ['tree'], []]);
  expect(use).toMatchObject({ mirrorBytes: 200, idleTreeBytes: 30, removedMirrors: ['acme/old'], removedTrees: 2 });
});

test('what is in use stays, and the next one gives', async () => {
  const busy = aRepository('acme/busy', { usedAt: 1, removeMirror: () => Promise.resolve(false) });
  const idle = aRepository('acme/idle', { usedAt: 2 });

  const use = await keepWithin(0, [busy.repository, idle.repository]);

  expect(use).toMatchObject({ mirrorBytes: 100, idleTreeBytes: 0, removedMirrors: ['acme/idle'], removedTrees: 0 });
});

test('a repository without a mirror has none to remove', async () => {
  const { repository, removed } = aRepository('acme/a', { mirrorBytes: 0, trees: 1 });

  await keepWithin(0, [repository]);

  expect(removed).toEqual(['tree']);
});

test('what is kept beside goes in its turn, whatever it is', async () => {
  const [old, newer] = [aRepository('acme/old', { usedAt: 1 }), aRepository('acme/newer', { usedAt: 3 })];
  const gone: number[] = [];
  const beside = [4, 2].map((usedAt): KeptBeside => {
    const remove = async () => Promise.resolve(gone.push(usedAt) > 0);
    return { bytes: 50, usedAt, remove };
  });

  const use = await keepWithin(150, [newer.repository, old.repository], beside);

  expect([old.removed, newer.removed, gone]).toEqual([['mirror'], [], [2]]);
  expect(use).toMatchObject({ mirrorBytes: 100, besideBytes: 50, removedBeside: 1 });
});

test('what is kept beside stays while it is in use', async () => {
  const busy: KeptBeside = { bytes: 50, usedAt: 1, remove: async () => Promise.resolve(false) };

  expect(await keepWithin(0, [], [busy])).toMatchObject({ besideBytes: 50, removedBeside: 0 });
});
