import { copyFile, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { GitTimeoutError, InvalidNameError, RepositoryUnreachableError, RevisionGoneError } from './index.ts';
import { runTestGit, startTestHost, type TestHost } from './testing/index.ts';
import { readFiles } from './testing/read-files.ts';
import { recordGit } from './testing/record-git.ts';

const GONE = '1'.repeat(40);

let host: TestHost;

afterEach(async () => {
  await host.close();
});

describe('bringing revisions', () => {
  test('the first one makes a mirror without contents', async () => {
    host = await startTestHost();
    const sha = await host.upstream.commit({ files: { 'main.tf': 'some content' } });

    await host.mirrors.fetch(host.repository, [sha]);

    const blob = await host.upstream.git('rev-parse', `${sha}:main.tf`);
    expect(await objectsOf(host.mirrorDir)).toContain(sha);
    expect(await objectsOf(host.mirrorDir)).not.toContain(blob);
  });

  test('later ones bring the small contents they changed in the same round trip, and leave large ones out', async () => {
    host = await startTestHost();
    await host.mirrors.fetch(host.repository, [await host.upstream.commit({ files: { 'old.tf': 'old' } })]);
    const sha = await host.upstream.commit({ files: { 'small.tf': 'small', 'large.bin': 'x'.repeat(100_000) } });

    await host.mirrors.fetch(host.repository, [sha]);

    const blobs = await host.upstream.git('rev-parse', `${sha}:small.tf`, `${sha}:large.bin`, `${sha}:old.tf`);
    const there = (await objectsOf(host.mirrorDir)).split('\n');
    expect(blobs.split('\n').map((blob) => there.includes(blob))).toEqual([true, false, false]);
  });

  test('what is there already needs no network', async () => {
    host = await startTestHost();
    const sha = await host.upstream.commit({ files: { 'main.tf': '' } });
    await host.mirrors.fetch(host.repository, [sha]);
    const asked = host.server.requests.length;

    await host.mirrors.fetch(host.repository, [sha]);
    await host.openMirrors().fetch(host.repository, [sha]);

    expect(host.server.requests).toHaveLength(asked);
  });

  test('a mirror that was made from another address fetches from the one of now', async () => {
    host = await startTestHost();
    await host.mirrors.fetch(host.repository, [await host.upstream.commit({ files: { 'a.tf': '' } })]);
    const sha = await host.upstream.commit({ files: { 'b.tf': '' } });
    const gitUrl = host.server.url.replace('127.0.0.1', 'localhost');

    await host.openMirrors({ gitUrl }).fetch(host.repository, [sha]);

    expect(await readFile(join(host.mirrorDir, 'config'), 'utf8')).toContain(`\turl = ${gitUrl}acme/infra.git\n`);
    expect(await objectsOf(host.mirrorDir)).toContain(sha);
  });

  test('a commit that no branch leads to any more can be brought while the server has it', async () => {
    host = await startTestHost();
    const base = await host.upstream.commit({ files: { 'a.tf': '' } });
    const dropped = await host.upstream.commit({ files: { 'b.tf': '' } });
    await host.upstream.setBranch('main', base);

    await host.mirrors.fetch(host.repository, [dropped]);

    expect(await host.mirrors.isAncestor(host.repository, base, dropped)).toBe(true);
  });

  test('what is known of two commits is known without the server, and nothing is when one is missing', async () => {
    host = await startTestHost();
    const first = await host.upstream.commit({ files: { 'a.tf': '' } });
    const known = (a: string, b: string) => host.mirrors.isKnownAncestor(host.repository, a, b);
    expect(await known(first, first)).toBeUndefined();
    await host.mirrors.fetch(host.repository, [first]);
    const second = await host.upstream.commit({ files: { 'b.tf': '' } });

    expect(await known(first, second)).toBeUndefined();
    await host.mirrors.fetch(host.repository, [second]);
    expect(await known(first, second)).toBe(true);
    expect(await known(second, first)).toBe(false);
  });

  test('a revision that the server does not have is gone', async () => {
    host = await startTestHost();
    await host.upstream.commit({ files: { 'a.tf': '' } });

    const brought = host.mirrors.fetch(host.repository, [GONE]);

    await expect(brought).rejects.toThrow(RevisionGoneError);
    await expect(brought).rejects.toMatchObject({ code: 'REVISION_GONE', shas: [GONE] });
  });

  test('many at once make one mirror', async () => {
    host = await startTestHost();
    const shas = [];
    for (const name of ['a', 'b', 'c', 'd']) shas.push(await host.upstream.commit({ files: { [name]: name } }));

    await Promise.all(shas.map(async (sha) => host.mirrors.fetch(host.repository, [sha])));

    expect(await host.mirrors.describe(host.repository, shas[3] ?? '', 'main')).toMatchObject({ position: 4 });
    expect(await readdir(join(host.dir, 'data', 'mirrors', 'acme'))).toEqual(['infra.git']);
  });

  test('a server that knows no filters gives a full mirror', async () => {
    host = await startTestHost({ filters: false });
    const sha = await host.upstream.commit({ files: { 'main.tf': 'content' } });

    await host.mirrors.fetch(host.repository, [sha]);

    const asked = host.server.requests.length;
    const files = await readFiles(host, sha, ['main.tf']);
    expect(files.get('main.tf')).toEqual({ kind: 'text', text: 'content' });
    expect(host.server.requests).toHaveLength(asked);
  });

  test('an empty repository has no revisions', async () => {
    host = await startTestHost();

    expect(await host.mirrors.branchHead(host.repository, 'main')).toBeUndefined();
  });
});

describe('a server that cannot be used', () => {
  test('is unreachable when the repository is not there', async () => {
    host = await startTestHost();

    const brought = host.mirrors.fetch({ ...host.repository, name: 'nothing' }, [GONE]);

    await expect(brought).rejects.toThrow(RepositoryUnreachableError);
  });

  test('is unreachable when nothing listens', async () => {
    host = await startTestHost();
    const mirrors = host.openMirrors({ gitUrl: 'http://127.0.0.1:1/', timeouts: { retryMs: 0 } });

    await expect(mirrors.fetch(host.repository, [GONE])).rejects.toThrow(RepositoryUnreachableError);
  });

  test('is named without its credentials when it refuses them', async () => {
    host = await startTestHost({ authorization: 'Basic right' });
    const token = Buffer.from('x-access-token:secret-token').toString('base64');
    const mirrors = host.openMirrors({ authorization: async () => Promise.resolve(`Basic ${token}`) });

    const error: unknown = await mirrors.fetch(host.repository, [GONE]).catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(RepositoryUnreachableError);
    expect(everythingIn(error)).not.toMatch(new RegExp(`secret-token|${token}`));
  });

  test('is given up after the time-out', async () => {
    host = await startTestHost();
    const mirrors = host.openMirrors({ timeouts: { networkMs: 1 } });

    await expect(mirrors.fetch(host.repository, [GONE])).rejects.toThrow(GitTimeoutError);
  });

  test('is not asked once the signal was aborted', async () => {
    host = await startTestHost();
    const reason = new Error('shutting down');

    await expect(host.mirrors.fetch(host.repository, [GONE], AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(host.server.requests).toEqual([]);
  });
});

describe('credentials', () => {
  test('reach the server, and no file of the mirror', async () => {
    const authorization = `Basic ${Buffer.from('x-access-token:secret-token').toString('base64')}`;
    host = await startTestHost({ authorization });
    const sha = await host.upstream.commit({ files: { 'main.tf': 'x' } });

    await host.mirrors.checkOut({ repository: host.repository, sha, deploymentId: 'd1' });

    expect(host.server.requests.every((request) => request.authorization === authorization)).toBe(true);
    const names = await readdir(host.dir, { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const contents = await Promise.all(files.map(async (file) => readFile(file, 'latin1')));
    expect(contents.filter((content) => content.includes(authorization.slice(6)))).toEqual([]);
  });

  test('are those of whoever asks, whoever else asks meanwhile with wrong ones', async () => {
    host = await startTestHost({ authorization: 'Basic 1' });
    const sha = await host.upstream.commit({ files: { 'main.tf': 'x' } });
    const mirrors = host.openMirrors({ authorization: async ({ installationId }) => `Basic ${installationId}` });
    const wrong = { ...host.repository, installationId: 2 };

    const [right, other] = await Promise.allSettled([
      mirrors.fetch(host.repository, [sha]),
      mirrors.fetch(wrong, [GONE]),
    ]);

    expect([right.status, other.status]).toEqual(['fulfilled', 'rejected']);
  });

  test('are asked for before each command that reaches the server, and for no other', async () => {
    host = await startTestHost();
    const sha = await host.upstream.commit({ files: { 'main.tf': 'x' } });
    let asked = 0;
    const mirrors = host.openMirrors({
      authorization: async () => {
        asked += 1;
        return Promise.resolve(undefined);
      },
    });

    await mirrors.fetch(host.repository, [sha]);
    await mirrors.describe(host.repository, sha, 'main');
    await mirrors.listFiles(host.repository, sha);

    expect(asked).toBe(1);
  });
});

describe('every git command', () => {
  test('gets nothing of our environment, and credentials only if it reaches the server', async () => {
    const authorization = `Basic ${Buffer.from('x-access-token:secret-token').toString('base64')}`;
    host = await startTestHost({ authorization });
    const sha = await host.upstream.commit({ files: { 'main.tf': 'x' } });
    const { environment, commands } = await recordGit(host.dir);
    const mirrors = host.openMirrors({ environment: { ...environment, OUR_SECRET: 'ours', HTTP_PROXY: '' } });

    await mirrors.contains(host.repository, 'main', sha);
    await mirrors.checkOut({ repository: host.repository, sha, deploymentId: 'd1' });
    await mirrors.release('d1');

    const recorded = await commands();
    const withCredentials = recorded.filter(({ variables }) => variables.includes(authorization));
    expect(recorded.filter(({ variables }) => variables.includes('OUR_SECRET'))).toEqual([]);
    expect(recorded.filter(({ argv }) => argv.includes(authorization.slice(6)))).toEqual([]);
    expect(withCredentials.length).toBeGreaterThan(0);
    expect(withCredentials.filter(({ argv }) => !/\b(fetch|ls-remote)\b/.test(argv))).toEqual([]);
  });
});

test('what many fetches left is packed behind the back of the next one', async () => {
  host = await startTestHost();
  const sha = await host.upstream.commit({ files: { 'main.tf': 'x' } });
  await host.mirrors.fetch(host.repository, [sha]);
  const packs = join(host.mirrorDir, 'objects', 'pack');
  for (const name of await readdir(packs)) {
    const copies = Array.from({ length: 51 }, (_, index) => name.replace(/[0-9a-f]{8}/, `${index + 10}aaaaaa`));
    await Promise.all(copies.map(async (copy) => copyFile(join(packs, name), join(packs, copy))));
  }

  const next = await host.upstream.commit({ files: { 'other.tf': 'x' } });
  await host.mirrors.fetch(host.repository, [next]);

  await until('few packs are left', async () => {
    const names = await readdir(packs);
    return names.filter((name) => name.endsWith('.pack')).length < 3;
  });
  // Changes wait for each other: the mirror is at rest after this one.
  await host.mirrors.fetch(host.repository, [await host.upstream.commit({ files: { 'third.tf': 'x' } })]);
  expect(await host.mirrors.listFiles(host.repository, sha)).toHaveLength(1);
  expect(await host.mirrors.listFiles(host.repository, next)).toHaveLength(2);
});

describe('a corrupt mirror is replaced, and nobody hears of it', () => {
  test('when its packs are cut short', async () => {
    host = await startTestHost();
    const sha = await host.upstream.commit({ files: { 'main.tf': 'x' } });
    await host.mirrors.fetch(host.repository, [sha]);
    const packs = join(host.mirrorDir, 'objects', 'pack');
    for (const name of await readdir(packs)) await truncate(join(packs, name), 20);

    const files = await host.openMirrors().changedFiles(host.repository, { kind: 'commit', sha });

    expect(files).toEqual({ head: sha, files: ['main.tf'] });
  });

  test('when its objects are gone', async () => {
    host = await startTestHost();
    const sha = await host.upstream.commit({ files: { 'main.tf': 'x' } });
    await host.mirrors.fetch(host.repository, [sha]);
    await rm(join(host.mirrorDir, 'objects'), { recursive: true });

    expect(await host.mirrors.listFiles(host.repository, sha)).toHaveLength(1);
  });

  test('when it is no longer there', async () => {
    host = await startTestHost();
    const sha = await host.upstream.commit({ files: { 'main.tf': 'x' } });
    await host.mirrors.fetch(host.repository, [sha]);
    await rm(host.mirrorDir, { recursive: true });

    expect(await host.mirrors.listFiles(host.repository, sha)).toHaveLength(1);
  });

  test('when its references say nothing that git understands', async () => {
    host = await startTestHost();
    const first = await host.upstream.commit({ files: { 'a.tf': 'x' } });
    await host.mirrors.fetch(host.repository, [first]);
    await writeFile(join(host.mirrorDir, 'packed-refs'), 'nonsense\n');
    const second = await host.upstream.commit({ files: { 'b.tf': 'x' } });

    await host.openMirrors({ timeouts: { retryMs: 0 } }).fetch(host.repository, [second]);

    expect(await host.mirrors.isAncestor(host.repository, first, second)).toBe(true);
  });

  test('and locks that a killed process left are no corruption', async () => {
    host = await startTestHost();
    const first = await host.upstream.commit({ files: { 'a.tf': 'x' } });
    await host.mirrors.fetch(host.repository, [first]);
    await writeFile(join(host.mirrorDir, 'packed-refs.lock'), '');
    await writeFile(join(host.mirrorDir, 'marker'), 'still the same mirror');
    const second = await host.upstream.commit({ files: { 'b.tf': 'x' } });

    await host.openMirrors().fetch(host.repository, [second]);

    expect(await readdir(host.mirrorDir)).toContain('marker');
    expect(await readdir(host.mirrorDir)).not.toContain('packed-refs.lock');
  });
});

test.each(['--upload-pack=touch /tmp/x', 'main', 'a'.repeat(39)])('%s is no commit', async (sha) => {
  host = await startTestHost();

  await expect(host.mirrors.fetch(host.repository, [sha])).rejects.toThrow(InvalidNameError);
});

test.each(['..', 'a/b', '-x y'])('%s is no repository', async (name) => {
  host = await startTestHost();

  await expect(host.mirrors.listFiles({ ...host.repository, name }, GONE)).rejects.toThrow(InvalidNameError);
});

/** Packing a few objects takes tens of milliseconds; only what hangs takes minutes. */
const DEADLINE_MS = 120_000;

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited ${DEADLINE_MS} ms in vain until ${what}`);
    await sleep(10);
  }
}

async function objectsOf(dir: string): Promise<string> {
  return runTestGit(join(dir, 'local'), ['cat-file', '--batch-all-objects', '--batch-check=%(objectname)']);
}

/** Message, stack and every cause. */
function everythingIn(error: unknown): string {
  return error instanceof Error
    ? `${error.stack ?? ''}${JSON.stringify(error)}${everythingIn(error.cause)}`
    : String(error);
}
