import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestHost, type TestHost } from '../testing/index.ts';

const ZERO = '0'.repeat(40);

let host: TestHost;
let base: string;

beforeAll(async () => {
  host = await startTestHost();
  base = await host.upstream.commit({ files: { 'a/main.tf': 'a', 'b/main.tf': 'b', 'c/main.tf': 'c' } });
});

afterAll(async () => {
  await host.close();
});

const changed = async (before: string, after: string) =>
  host.mirrors.changedFiles(host.repository, { kind: 'push', before, after });

test('two trees differ in what they differ, whatever their history', async () => {
  const before = await host.upstream.commit({ files: { 'a/main.tf': 'a2' }, branch: 'left', parent: base });
  const after = await host.upstream.commit({ files: { 'b/main.tf': 'b2' }, branch: 'right', parent: base });

  const result = await host.mirrors.changedFiles(host.repository, { kind: 'trees', before, after });

  expect(result).toEqual({ base: before, head: after, files: ['a/main.tf', 'b/main.tf'] });
});

describe('a push', () => {
  test('counts the files of all its commits', async () => {
    await host.upstream.commit({ files: { 'a/main.tf': 'a2' }, branch: 'many', parent: base });
    await host.upstream.commit({ files: { 'b/main.tf': 'b2' }, branch: 'many' });
    const after = await host.upstream.commit({ files: { 'c/new.tf': 'c2' }, branch: 'many' });

    const result = await changed(base, after);

    expect(result).toEqual({ base, head: after, files: ['a/main.tf', 'b/main.tf', 'c/new.tf'] });
  });

  test('counts a renamed file on both sides', async () => {
    const files = { 'a/main.tf': null, 'moved/main.tf': 'a' };
    const after = await host.upstream.commit({ files, branch: 'renamed', parent: base });

    expect((await changed(base, after)).files).toEqual(['a/main.tf', 'moved/main.tf']);
  });

  test('counts the files of a deleted directory', async () => {
    const after = await host.upstream.commit({ files: { b: null }, branch: 'deleted', parent: base });

    expect((await changed(base, after)).files).toEqual(['b/main.tf']);
  });

  test('counts everything that a merge queue put into it', async () => {
    const one = await host.upstream.commit({ files: { 'a/main.tf': 'a2' }, branch: 'pr1', parent: base });
    const two = await host.upstream.commit({ files: { 'b/main.tf': 'b2' }, branch: 'pr2', parent: base });
    await host.upstream.commit({ files: { 'a/main.tf': 'a2' }, branch: 'queue', parent: base, mergeOf: one });
    const after = await host.upstream.commit({ files: { 'b/main.tf': 'b2' }, branch: 'queue', mergeOf: two });

    expect((await changed(base, after)).files).toEqual(['a/main.tf', 'b/main.tf']);
  });

  test('that was forced counts from the merge base with what the branch was', async () => {
    const dropped = await host.upstream.commit({ files: { 'a/main.tf': 'a2' }, branch: 'forced', parent: base });
    const after = await host.upstream.commit({ files: { 'b/main.tf': 'b2' }, branch: 'forced', parent: base });

    expect(await changed(dropped, after)).toEqual({ base, head: after, files: ['b/main.tf'] });
  });

  test('that was forced onto another history counts from the first parent', async () => {
    const files = { 'x/main.tf': 'x', 'y/main.tf': 'y' };
    const root = await host.upstream.commit({ files, branch: 'unrelated', parent: null });
    const after = await host.upstream.commit({ files: { 'y/main.tf': 'y2' }, branch: 'unrelated' });

    expect(await changed(base, after)).toEqual({ base: root, head: after, files: ['y/main.tf'] });
  });

  test('whose before is gone from the server counts from the first parent', async () => {
    const after = await host.upstream.commit({ files: { 'b/main.tf': 'b3' }, branch: 'gone', parent: base });

    expect((await changed('1'.repeat(40), after)).files).toEqual(['b/main.tf']);
  });

  test('of a new branch counts from the first parent', async () => {
    const after = await host.upstream.commit({ files: { 'b/main.tf': 'b4' }, branch: 'new', parent: base });

    expect((await changed(ZERO, after)).files).toEqual(['b/main.tf']);
  });

  test('of a root commit counts all files', async () => {
    expect(await changed(ZERO, base)).toEqual({ head: base, files: ['a/main.tf', 'b/main.tf', 'c/main.tf'] });
  });

  test('keeps odd names as they are', async () => {
    const names = [
      ' spaced name.tf',
      '-rf.tf',
      'new\nline.tf',
      'quote".tf',
      'tab\t.tf',
      'ünïcode-日本.tf',
      'back\\slash.tf',
    ];
    const files = Object.fromEntries(names.map((name) => [`odd/${name}`, 'x']));
    const after = await host.upstream.commit({ files, branch: 'odd', parent: base });

    const result = await changed(base, after);

    expect(result.files.toSorted()).toEqual(Object.keys(files).toSorted());
  });
});

test('a pull request counts from the merge base, not what happened on its base since', async () => {
  const head = await host.upstream.commit({ files: { 'a/main.tf': 'pr' }, branch: 'pr', parent: base });
  const moved = await host.upstream.commit({ files: { 'b/main.tf': 'later' }, branch: 'trunk', parent: base });

  const result = await host.mirrors.changedFiles(host.repository, { kind: 'pull-request', base: moved, head });

  expect(result).toEqual({ base, head, files: ['a/main.tf'] });
});

test('everything is each file that there is', async () => {
  const sha = await host.upstream.commit({ files: { 'b/main.tf': 'new' }, branch: 'whole', parent: base });

  const { files } = await host.mirrors.changedFiles(host.repository, { kind: 'everything', sha });

  expect(files).toEqual(expect.arrayContaining(['a/main.tf', 'b/main.tf']));
});

test('a merge commit counts from its first parent', async () => {
  const side = await host.upstream.commit({ files: { 'a/main.tf': 'side' }, branch: 'topic', parent: base });
  const files = { 'a/main.tf': 'side' };
  const sha = await host.upstream.commit({ files, branch: 'release', parent: base, mergeOf: side });

  expect((await host.mirrors.changedFiles(host.repository, { kind: 'commit', sha })).files).toEqual(['a/main.tf']);
});
