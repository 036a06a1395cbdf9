import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { GitTimeoutError, RepositoryUnreachableError, RevisionGoneError, type Mirrors } from './index.ts';
import type { MirrorFetch } from './command/git-commands.ts';
import { startTestHost, type GitFault, type TestHost } from './testing/index.ts';

/** A first fetch, the contents of a tree, and the head of a branch. */
const REQUESTS = 7;

/** The first attempt is soon found silent, and so many attempts have room even on a busy machine. */
const TIMEOUTS = { silenceMs: 1_000, retryMs: 60_000 };

let host: TestHost;
let faultOf: (index: number) => GitFault | undefined;
let fetches: MirrorFetch[];
let mirrors: Mirrors;
let sha: string;

beforeEach(async () => {
  faultOf = () => undefined;
  fetches = [];
  host = await startTestHost({ faultOf: (index) => faultOf(index) });
  mirrors = host.openMirrors({ timeouts: TIMEOUTS, onFetch: (fetched) => fetches.push(fetched) });
  sha = await host.upstream.commit({ files: { 'main.tf': 'one', 'large.bin': 'x'.repeat(100_000) } });
});

afterEach(async () => {
  await host.close();
});

async function deploy(): Promise<string | undefined> {
  await mirrors.fetch(host.repository, [sha]);
  await mirrors.checkOut({ repository: host.repository, sha, deploymentId: 'd1' });
  return mirrors.branchHead(host.repository, 'main');
}

const FAULTS: readonly GitFault[] = ['bad gateway', 'closed', 'cut short', 'silence'];

test.each(FAULTS)('a server that fails any one request (%s) is asked again, and nobody hears of it', async (fault) => {
  for (let failing = 0; failing < REQUESTS; failing += 1) {
    const admitted = host.server.requests.length;
    faultOf = (index) => (index === admitted + failing ? fault : undefined);
    mirrors = host.openMirrors({ timeouts: TIMEOUTS, dataDir: `${host.dir}/data-${failing}`, hostId: `h${failing}` });

    expect(await deploy()).toBe(sha);
    expect(host.server.requests.length).toBeGreaterThan(admitted + REQUESTS);
    await mirrors.release('d1');
  }
});

test('a server that fails three requests of ten is no reason for anything to begin again', async () => {
  // Of ten in a row, three anywhere, each time others.
  const isFailing = (index: number) => (index * 7 + Math.floor(index / 10) * 3) % 10 < 3;
  faultOf = (index) => (isFailing(index) ? FAULTS[index % 3] : undefined);

  for (let push = 0; push < 10; push += 1) {
    expect(await deploy()).toBe(sha);
    await mirrors.release('d1');
    sha = await host.upstream.commit({ files: { 'main.tf': `${push}`, 'large.bin': `${push}`.repeat(100_000) } });
  }

  expect(fetches.length).toBeGreaterThan(0);
  expect(fetches.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
});

test('a server that stays away is given up once the time for retries is over', async () => {
  faultOf = () => 'bad gateway';
  mirrors = host.openMirrors({ timeouts: { retryMs: 500 } });

  await expect(mirrors.fetch(host.repository, [sha])).rejects.toThrow(
    /^expected to fetch from acme\/infra, found: fatal: .*502/,
  );
  // After 100 and 200 ms; 400 would be too late.
  expect(host.server.requests.length).toBeGreaterThan(1);
  expect(host.server.requests.length).toBeLessThanOrEqual(3);
});

test('whoever gives up meanwhile waits for no retry', async () => {
  const giveUp = new AbortController();
  faultOf = () => {
    setTimeout(() => giveUp.abort(new Error('shutting down')), 150);
    return 'bad gateway';
  };
  mirrors = host.openMirrors({ timeouts: { retryMs: 60_000 } });

  await expect(mirrors.fetch(host.repository, [sha], giveUp.signal)).rejects.toThrow('shutting down');
});

test('a revision that the server does not have is asked for once', async () => {
  await mirrors.fetch(host.repository, [sha]);
  const before = host.server.requests.length;

  await expect(mirrors.fetch(host.repository, ['1'.repeat(40)])).rejects.toThrow(RevisionGoneError);

  expect(host.server.requests.length - before).toBe(2);
});

test('a repository that the server does not show is asked for once', async () => {
  const absent = { ...host.repository, name: 'absent' };

  const failure: unknown = await mirrors.fetch(absent, [sha]).catch((error: unknown) => error);

  expect(failure).toBeInstanceOf(RepositoryUnreachableError);
  expect(failure).toMatchObject({ isRefused: true });
  expect(host.server.requests).toHaveLength(1);
});

test('a command that took its whole time is not given as much again', async () => {
  faultOf = () => 'silence';
  mirrors = host.openMirrors({ timeouts: { networkMs: 200, retryMs: 60_000 } });

  await expect(mirrors.fetch(host.repository, [sha])).rejects.toThrow(GitTimeoutError);
});
