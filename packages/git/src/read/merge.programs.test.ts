import { afterEach, describe, expect, test } from '@jest/globals';
import { startTestHost, type TestFiles, type TestHost } from '../testing/index.ts';
import { readFiles } from '../testing/read-files.ts';

let host: TestHost;

afterEach(() => host.close());

const merge = (base: string, head: string, mirrors = host.mirrors) => mirrors.merge(host.repository, { base, head });

/** A branch that was left behind, and the branch that went on. */
async function apart(files: { readonly base: TestFiles; readonly left: TestFiles; readonly right: TestFiles }) {
  host = await startTestHost();
  const root = await host.upstream.commit({ files: files.base });
  const base = await host.upstream.commit({ files: files.right });
  const head = await host.upstream.commit({ branch: 'feature', parent: root, files: files.left });
  return { root, base, head };
}

describe('the merged result', () => {
  test('has the files of both, and is a commit like any other', async () => {
    const { base, head } = await apart({ base: { 'a.tf': '1' }, left: { 'b.tf': '2' }, right: { 'c.tf': '3' } });

    const merged = await merge(base, head);

    if (merged.kind !== 'merged') throw new Error(`expected a commit, found ${merged.kind}`);
    const files = await host.mirrors.listFiles(host.repository, merged.sha);
    expect(files.map(({ path }) => path)).toEqual(['a.tf', 'b.tf', 'c.tf']);
    const range = { kind: 'push', before: base, after: merged.sha } as const;
    expect((await host.mirrors.changedFiles(host.repository, range)).files).toEqual(['b.tf']);
  });

  test('joins what both changed in one file, also in one that is too large for the mirror', async () => {
    const lines = Array.from({ length: 9_000 }, (_none, index) => `line ${index}`);
    const text = (change: Readonly<Record<number, string>>) =>
      lines.map((line, index) => change[index] ?? line).join('\n');
    const { base, head } = await apart({
      base: { 'a.tf': text({}) },
      left: { 'a.tf': text({ 10: 'left' }) },
      right: { 'a.tf': text({ 8_000: 'right' }) },
    });

    const merged = await merge(base, head);

    if (merged.kind !== 'merged') throw new Error(`expected a commit, found ${merged.kind}`);
    const contents = await readFiles(host, merged.sha, ['a.tf']);
    expect(contents.get('a.tf')).toEqual({ kind: 'text', text: text({ 10: 'left', 8_000: 'right' }) });
  });

  test('is the same commit on every host', async () => {
    const { base, head } = await apart({ base: { 'a.tf': '1' }, left: { 'b.tf': '2' }, right: { 'c.tf': '3' } });

    expect(await merge(base, head, host.openMirrors())).toEqual(await merge(base, head));
  });

  test('of a head that has the whole branch has exactly its files', async () => {
    host = await startTestHost();
    const base = await host.upstream.commit({ files: { 'a.tf': '1' } });
    const head = await host.upstream.commit({ branch: 'feature', parent: base, files: { 'b.tf': '2' } });

    const merged = await merge(base, head);

    const range = { kind: 'push', before: head, after: merged.kind === 'merged' ? merged.sha : '' } as const;
    expect((await host.mirrors.changedFiles(host.repository, range)).files).toEqual([]);
  });
});

describe('there is none', () => {
  test('of two that change the same line: the files are named', async () => {
    const { base, head } = await apart({ base: { 'a.tf': '1' }, left: { 'a.tf': '2' }, right: { 'a.tf': '3' } });

    expect(await merge(base, head)).toEqual({ kind: 'conflict', files: ['a.tf'], total: 1 });
  });

  test('of two without common history', async () => {
    host = await startTestHost();
    const base = await host.upstream.commit({ files: { 'a.tf': '1' } });
    const head = await host.upstream.commit({ branch: 'feature', parent: null, files: { 'a.tf': '2' } });

    expect(await merge(base, head)).toEqual({ kind: 'unrelated' });
  });

  test('of a commit that is gone', async () => {
    host = await startTestHost();
    const base = await host.upstream.commit({ files: { 'a.tf': '1' } });

    await expect(merge(base, 'a'.repeat(40))).rejects.toMatchObject({ name: 'RevisionGoneError' });
  });
});

describe("git's id of all files", () => {
  test('is the same for the merged result and for a squash of the same, and another one for other files', async () => {
    const { base, head } = await apart({ base: { 'a.tf': '1' }, left: { 'b.tf': '2' }, right: { 'c.tf': '3' } });
    const merged = await merge(base, head);
    if (merged.kind !== 'merged') throw new Error(`expected a commit, found ${merged.kind}`);
    const treeId = (sha: string) => host.mirrors.treeId(host.repository, sha);

    const squashed = await host.upstream.commit({ files: { 'b.tf': '2' } });
    const other = await host.upstream.commit({ files: { 'd.tf': '4' } });

    expect(await treeId(merged.sha)).toMatch(/^[0-9a-f]{40}$/);
    expect(await treeId(squashed)).toBe(await treeId(merged.sha));
    expect(await treeId(other)).not.toBe(await treeId(merged.sha));
  });
});
