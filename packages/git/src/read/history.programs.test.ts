import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestHost, type TestHost } from '../testing/index.ts';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});

afterAll(async () => {
  await host.close();
});

describe('the description of a revision', () => {
  test('has the first line of its message and its author', async () => {
    const sha = await host.upstream.commit({ files: {}, message: 'Add a network\n\nBecause.', author: 'Grace' });

    const revision = await host.mirrors.describe(host.repository, sha, 'main');

    expect(revision).toMatchObject({ sha, branch: 'main', title: 'Add a network', author: 'Grace' });
  });

  test('counts only first parents: a merged branch is one step', async () => {
    const base = await host.upstream.commit({ files: {}, branch: 'counted', parent: null });
    await host.upstream.commit({ files: {}, branch: 'side', parent: base });
    const side = await host.upstream.commit({ files: {}, branch: 'side' });
    const merge = await host.upstream.commit({ files: {}, branch: 'counted', mergeOf: side });

    const { position } = await host.mirrors.describe(host.repository, merge, 'counted');

    expect(position).toBe(2);
  });

  test('is cut at 200 characters', async () => {
    const sha = await host.upstream.commit({ files: {}, message: 'x'.repeat(1_000) });

    const { title } = await host.mirrors.describe(host.repository, sha, 'main');

    expect(title).toHaveLength(200);
  });

  test('needs no contents of what was renamed: a new mirror has none', async () => {
    const fresh = await startTestHost();
    try {
      await fresh.upstream.commit({ files: { 'old.tf': 'one\ntwo\nthree\n' } });
      const files = { 'old.tf': null, 'new.tf': 'one\ntwo\nfour\n' };
      const sha = await fresh.upstream.commit({ files, message: 'Rename' });

      expect(await fresh.mirrors.describe(fresh.repository, sha, 'main')).toMatchObject({ title: 'Rename' });
    } finally {
      await fresh.close();
    }
  });

  test('has an empty title when the message is empty', async () => {
    const sha = await host.upstream.commit({ files: {}, message: '' });

    expect(await host.mirrors.describe(host.repository, sha, 'main')).toMatchObject({ title: '' });
  });
});

describe('branches', () => {
  test('have the head that the server has at this moment', async () => {
    await host.upstream.commit({ files: {}, branch: 'moving' });
    await host.mirrors.branchHead(host.repository, 'moving');
    const now = await host.upstream.commit({ files: {}, branch: 'moving' });

    expect(await host.mirrors.branchHead(host.repository, 'moving')).toBe(now);
  });

  test('that are not there have none', async () => {
    expect(await host.mirrors.branchHead(host.repository, 'nowhere')).toBeUndefined();
    expect(await host.mirrors.contains(host.repository, 'nowhere', '1'.repeat(40))).toBe(false);
  });

  test('contain what is in their history, and nothing else', async () => {
    const old = await host.upstream.commit({ files: {}, branch: 'deployed' });
    await host.upstream.commit({ files: {}, branch: 'deployed' });
    const elsewhere = await host.upstream.commit({ files: {}, branch: 'feature', parent: old, message: 'elsewhere' });

    expect(await host.mirrors.contains(host.repository, 'deployed', old)).toBe(true);
    expect(await host.mirrors.contains(host.repository, 'deployed', elsewhere)).toBe(false);
  });

  test('are told from the default branch, whatever ends in its name', async () => {
    const sha = await host.upstream.commit({ files: {}, branch: 'of/HEAD' });

    const onBranch = { isContained: true, defaultBranch: 'main' };
    expect(await host.mirrors.findOnBranch(host.repository, 'of/HEAD', sha)).toEqual(onBranch);
    const nowhere = { isContained: false, defaultBranch: 'main' };
    expect(await host.mirrors.findOnBranch(host.repository, 'nowhere', '1'.repeat(40))).toEqual(nowhere);
  });

  test('whose names would be options or patterns are refused', async () => {
    await expect(host.mirrors.branchHead(host.repository, '--all')).rejects.toMatchObject({ code: 'INVALID_NAME' });
    await expect(host.mirrors.branchHead(host.repository, 'a*')).rejects.toMatchObject({ code: 'INVALID_NAME' });
  });
});

describe('what a head contains of some commits', () => {
  test('is itself and its ancestors, whether they came by merges or not', async () => {
    const old = await host.upstream.commit({ files: {}, branch: 'head' });
    const side = await host.upstream.commit({ files: {}, branch: 'aside', parent: old, message: 'aside' });
    const head = await host.upstream.commit({ files: {}, branch: 'head', mergeOf: side });
    const elsewhere = await host.upstream.commit({ files: {}, branch: 'other-head', parent: old, message: 'else' });

    const asked = [head, old, side, elsewhere, '1'.repeat(40)];
    await host.mirrors.fetch(host.repository, [elsewhere]);

    expect(await host.mirrors.contained(host.repository, head, asked)).toEqual([head, old, side]);
  });

  test('is nothing of nothing', async () => {
    const head = await host.upstream.commit({ files: {}, branch: 'head' });

    expect(await host.mirrors.contained(host.repository, head, [])).toEqual([]);
  });

  test('is asked of commits only', async () => {
    const head = await host.upstream.commit({ files: {}, branch: 'head' });

    await expect(host.mirrors.contained(host.repository, head, ['--all'])).rejects.toMatchObject({
      code: 'INVALID_NAME',
    });
  });
});

test('histories that have nothing in common have no merge base', async () => {
  const one = await host.upstream.commit({ files: {}, branch: 'one', parent: null, message: 'one' });
  const other = await host.upstream.commit({ files: {}, branch: 'other', parent: null, message: 'other' });

  expect(await host.mirrors.mergeBase(host.repository, one, other)).toBeUndefined();
  expect(await host.mirrors.mergeBase(host.repository, one, one)).toBe(one);
});
