import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestHost, type TestHost } from '../testing/index.ts';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});

afterAll(async () => {
  await host.close();
});

/** From what the host has, which it fetches first. */
async function brought(after: string, upTo: string, limit?: number) {
  await host.mirrors.fetch(host.repository, [after, upTo]);
  return host.mirrors.commitsBrought(host.repository, { after, upTo, ...(limit !== undefined && { limit }) });
}

test('all commits are listed, those of merged branches last, each with the files that it changed', async () => {
  const start = await host.upstream.commit({ files: { 'a.tf': '1' } });
  const side = await host.upstream.commit({ files: { 'side.tf': '1' }, branch: 'side', parent: start });
  const above = await host.upstream.commit({ files: { 'above.tf': '1' }, branch: 'side' });
  const direct = await host.upstream.commit({ files: { 'a.tf': '2', 'b.tf': '1' } });
  const merge = await host.upstream.commit({ files: { 'side.tf': '1', 'above.tf': '1' }, mergeOf: above });

  expect(await brought(start, merge)).toEqual({
    commits: [
      { sha: merge, files: ['above.tf', 'side.tf'] },
      { sha: direct, files: ['a.tf', 'b.tf'] },
      { sha: above, files: ['above.tf'] },
      { sha: side, files: ['side.tf'] },
    ],
    isCut: false,
  });
});

test('a renamed file counts under both names, and a commit without files is listed', async () => {
  const start = await host.upstream.commit({ files: { 'old.tf': 'one' } });
  const renamed = await host.upstream.commit({ files: { 'old.tf': null, 'new.tf': 'one' } });
  const empty = await host.upstream.commit({ files: {} });

  expect((await brought(start, empty))?.commits).toEqual([
    { sha: empty, files: [] },
    { sha: renamed, files: ['new.tf', 'old.tf'] },
  ]);
});

test('a path that looks like the id of another commit is a path', async () => {
  const start = await host.upstream.commit({ files: {} });
  const earlier = await host.upstream.commit({ files: { 'z/ours.tf': '1' } });
  const later = await host.upstream.commit({ files: { [earlier]: '1', 'z/theirs.tf': '1' } });

  expect((await brought(start, later))?.commits).toEqual([
    { sha: later, files: [earlier, 'z/theirs.tf'] },
    { sha: earlier, files: ['z/ours.tf'] },
  ]);
});

test('of a longer stretch, the newest are listed, which is said', async () => {
  const start = await host.upstream.commit({ files: {} });
  await host.upstream.commit({ files: { 'a.tf': '3' } });
  const last = await host.upstream.commit({ files: { 'a.tf': '4' } });

  expect(await brought(start, last, 1)).toEqual({ commits: [{ sha: last, files: ['a.tf'] }], isCut: true });
});

test('a host that lacks one of the commits does not fetch it', async () => {
  const start = await host.upstream.commit({ files: {} });
  await host.mirrors.fetch(host.repository, [start]);
  const missing = await host.upstream.commit({ files: {} });

  expect(await host.mirrors.commitsBrought(host.repository, { after: start, upTo: missing })).toBeUndefined();
});
