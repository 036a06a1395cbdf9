/** How few git commands, and how few requests in a row, the usual things take: each command takes milliseconds of a core. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { lfsPointer, startTestHost, type TestHost } from './testing/index.ts';
import { recordGit } from './testing/record-git.ts';
import type { Mirrors } from './mirrors.ts';

let host: TestHost;
let mirrors: Mirrors;
let git: Awaited<ReturnType<typeof recordGit>>;
let first: string;
let second: string;

/** The verbs of the commands that the work takes. */
async function verbsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  await git.reset();
  await work();
  return (await git.commands()).map(({ argv }) => argv.split(' ')[0] ?? '').filter(Boolean);
}

beforeEach(async () => {
  host = await startTestHost();
  git = await recordGit(host.dir);
  mirrors = host.openMirrors({ environment: git.environment });
  first = await host.upstream.commit({ files: { 'a.tf': 'one' } });
  await mirrors.fetch(host.repository, [first]);
  second = await host.upstream.commit({ files: { 'a.tf': 'two', 'b.bin': lfsPointer('b'.repeat(64), 3) } });
});

afterEach(() => host.close());

test('a fetch of a commit asks what the server can do and for the commit: nobody lists references', async () => {
  const before = host.server.requests.length;

  await mirrors.fetch(host.repository, [second]);

  const paths = host.server.requests.slice(before).map(({ path }) => path.replace(/^.*\.git/, ''));
  expect(paths).toEqual(['/info/refs?service=git-upload-pack', '/git-upload-pack']);
});

test('the commit of a push is fetched while the server is asked for the head', async () => {
  const both = Promise.withResolvers<undefined>();
  let begun = 0;
  const authorization = () => {
    begun += 1;
    if (begun === 2) both.resolve(undefined);
    return both.promise;
  };

  const opened = host.openMirrors({ authorization });
  expect(await opened.findOnBranch(host.repository, 'main', second)).toEqual({
    isContained: true,
    defaultBranch: 'main',
  });
  expect(begun).toBe(2);
});

test('git says once whether a commit is there, and whether one is an ancestor of another', async () => {
  await mirrors.contains(host.repository, 'main', second);
  const range = { kind: 'push', before: first, after: second } as const;

  expect(await verbsOf(() => mirrors.changedFiles(host.repository, range))).toEqual(
    expect.arrayContaining(['merge-base', 'diff-tree']),
  );
  expect(await verbsOf(() => mirrors.isKnownAncestor(host.repository, first, second))).toEqual([]);
  expect(await verbsOf(() => mirrors.isAncestor(host.repository, second, second))).toEqual([]);
});

test('lanes that ask at once whether one commit is an ancestor of another share one command', async () => {
  await mirrors.fetch(host.repository, [second]);

  const verbs = await verbsOf(() =>
    Promise.all(Array.from({ length: 20 }, () => mirrors.isKnownAncestor(host.repository, first, second))),
  );

  expect(verbs).toEqual(['merge-base']);
});

test('a check-out and its absent contents take one look at sizes and one at contents', async () => {
  const wanted = { repository: host.repository, sha: second };
  await mirrors.checkOut({ repository: host.repository, sha: first, deploymentId: 'd1' });
  await mirrors.release('d1');
  await mirrors.listFiles(host.repository, second);

  const verbs = await verbsOf(async () => {
    await mirrors.checkOut({ ...wanted, deploymentId: 'd2' });
    await mirrors.absentContents(wanted);
  });

  expect(verbs).toEqual(['cat-file', 'reset', 'clean', 'cat-file']);
});

test('a deployment takes three commands for its tree: two that make it exact, and one that cleans it', async () => {
  const verbs = async (deploymentId: string, opened = mirrors) =>
    verbsOf(async () => {
      await opened.checkOut({ repository: host.repository, sha: first, deploymentId });
      await opened.release(deploymentId);
    });
  await verbs('d1');

  expect(await verbs('d2')).toEqual(['reset', 'clean', 'clean']);
  // Another process does not know what git wrote.
  const another = host.openMirrors({ environment: git.environment });
  expect((await verbs('d3', another)).filter((verb) => verb === 'ls-files')).toEqual(['ls-files']);
});
