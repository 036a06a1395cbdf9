import { afterEach, expect, test } from '@jest/globals';
import { BlobsMissingError, RepositoryUnreachableError } from '@nereid/git';
import { anyPolicy } from '../testing/policy.ts';
import { treeOf, type CountingTree } from '../testing/tree-of.ts';
import { DiscoveryBudgetError } from '../errors.ts';
import { openDiscovery, type Change, type Discovery } from './discovery.ts';

const BACKEND = 'terraform {\n  backend "s3" {}\n}\n';
const NETWORK = { 'network/main.tf': BACKEND };

/** Thousands of patterns, each with a walk along a path of thousands of segments: minutes of computing. */
const POISON = {
  'nereid.yaml': [
    'version: 1',
    'roots:',
    `  - { name: r, dir: a, when_modified: &w [${Array.from({ length: 100 }, (_, n) => `"**/x/**/y${n}"`).join(', ')}] }`,
    ...Array.from({ length: 490 }, (_, n) => `  - { name: r${n}, dir: a, workspace: w${n}, when_modified: *w }`),
  ].join('\n'),
  'a/main.tf': '',
};
const DEEP_PATHS = Array.from({ length: 40 }, (_, n) => `a/${'x/'.repeat(30_000)}${n}`);

let discovery: Discovery;

afterEach(() => discovery.close());

const changeOf = (repository: string, tree: CountingTree, changed: readonly string[]): Change => ({
  repository,
  tree,
  policy: anyPolicy(),
  changed,
});
const poisonFor = (repository: string) => changeOf(repository, treeOf(POISON), DEEP_PATHS);
const networkFor = (repository: string) => changeOf(repository, treeOf(NETWORK), Object.keys(NETWORK));

test('a thread finds the roots that a change modifies, and roots by their names', async () => {
  discovery = openDiscovery();

  expect(await discovery.discoverRoots(networkFor('acme/infra'))).toMatchObject({
    modified: [{ why: ['network/main.tf'] }],
  });
  expect(await discovery.findRoots({ ...networkFor('acme/infra'), names: ['network'] })).toMatchObject({
    roots: [{ name: 'network' }],
  });
});

test('what is not in the mirror is fetched, and the discovery begins again', async () => {
  discovery = openDiscovery();
  const tree = treeOf(NETWORK);
  const brought = new Set<string>();

  const found = await discovery.discoverRoots({
    ...networkFor('acme/infra'),
    tree: {
      ...tree,
      contents: async (blobs) => {
        const missing = blobs.filter((blob) => !brought.has(blob));
        if (missing.length > 0) throw new BlobsMissingError(missing);
        return tree.contents(blobs);
      },
      fetch: async (blobs) => {
        for (const blob of blobs) brought.add(blob);
      },
    },
  });

  expect(found).toMatchObject({ all: 1 });
});

test('what cannot be read fails with its own error, and the thread goes on with what it knows', async () => {
  discovery = openDiscovery();
  await discovery.discoverRoots(networkFor('acme/infra'));
  const gone = async () => Promise.reject(new RepositoryUnreachableError('acme/infra', 'no network'));

  const failed = discovery.discoverRoots({
    ...changeOf('acme/infra', treeOf({ 'app/main.tf': `${BACKEND}# app` }), []),
    before: { ...treeOf(NETWORK), contents: gone },
    tree: { ...treeOf({ 'app/main.tf': `${BACKEND}# app` }), contents: gone },
  });

  await expect(failed).rejects.toThrow(RepositoryUnreachableError);
  const again = treeOf(NETWORK);
  await discovery.discoverRoots(changeOf('acme/infra', again, []));
  expect(again.read).toEqual([]);
});

test('a poison is ended at its budget, while the event loop and other repositories go on', async () => {
  discovery = openDiscovery({ budget: { computingMs: 1_000, heapMb: 512 } });
  // Both threads have started.
  await Promise.all(['acme/infra', 'acme/other'].map(async (name) => discovery.discoverRoots(networkFor(name))));
  let ticks = 0;
  const ticking = setInterval(() => (ticks += 1), 10);

  const poisoned = discovery.discoverRoots(poisonFor('evil/infra'));
  const others = Promise.all(
    Array.from({ length: 5 }, async () => discovery.discoverRoots(networkFor('acme/infra'))).concat(
      discovery.discoverRoots(networkFor('acme/other')),
    ),
  );

  expect(await Promise.race([others, poisoned.catch(() => 'the poison')])).toHaveLength(6);
  await expect(poisoned).rejects.toThrow(
    'expected the roots of this revision to be found with at most 1 s of computing, found that it takes more; declare fewer',
  );
  clearInterval(ticking);
  // A hundred ticks are expected; a blocked loop would have none.
  expect(ticks).toBeGreaterThan(10);
});

test('a poison that fills the memory ends its thread, and the next discovery has another', async () => {
  discovery = openDiscovery({ budget: { computingMs: 60_000, heapMb: 100 } });
  const tree = treeOf({});
  const paths = Array.from({ length: 400_000 }, (_, n) => `100644 blob ${String(n).padStart(40, '0')}\t${n}/${n}/x\0`);

  const poisoned = discovery.discoverRoots(
    changeOf('evil/infra', { ...tree, listing: async () => paths.join('') }, []),
  );

  await expect(poisoned).rejects.toThrow('at most 100 MB of memory');
  await expect(poisoned).rejects.toThrow(DiscoveryBudgetError);
  expect(await discovery.discoverRoots(networkFor('acme/infra'))).toMatchObject({ all: 1 });
});

test('a discovery that nobody waits for any more is ended', async () => {
  discovery = openDiscovery();
  const cancelled = new AbortController();

  const running = discovery.discoverRoots({ ...poisonFor('evil/infra'), signal: cancelled.signal });
  const waiting = discovery.discoverRoots({ ...poisonFor('evil/infra'), signal: cancelled.signal });
  await new Promise((resolve) => setImmediate(resolve));
  expect(discovery.load()).toEqual({ running: 1, waiting: 1 });
  const ended = Promise.allSettled([running, waiting]);
  const reason = new Error('cancelled');
  cancelled.abort(reason);

  expect(await ended).toEqual([
    { status: 'rejected', reason },
    { status: 'rejected', reason },
  ]);
  expect(discovery.load()).toEqual({ running: 0, waiting: 0 });
});

test('the first of many problems are listed, and the others counted', async () => {
  discovery = openDiscovery();
  const roots = Array.from({ length: 300 }, (_, n) => `{ name: r${n}, dir: ../out${n} }`);
  const tree = treeOf({ 'nereid.yaml': `version: 1\nroots: [${roots.join(', ')}]` });

  const found = await discovery.discoverRoots(changeOf('acme/infra', tree, []));

  expect(found.kind === 'problems' && found.problems).toHaveLength(201);
  expect(found.kind === 'problems' && found.problems.at(-1)?.message).toBe('100 more are not listed; fix these first');
});
