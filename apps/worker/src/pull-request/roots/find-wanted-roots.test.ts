import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Problem } from '@nereid/config';
import type { PreviewRef, PullRequestRecord } from '@nereid/domain/pull-request';
import type { Root } from '@nereid/domain/root';
import { aRoot, REPOSITORY } from '@nereid/domain/testing';
import { findWantedRoots } from './find-wanted-roots.ts';

const HEAD = 'a'.repeat(40);
const BASE = 'b'.repeat(40);
const MERGED = 'c'.repeat(40);

/** The names of the roots that the merge modifies and removes, and of all that the merged result has. */
let modified: readonly string[];
let deleted: readonly string[];
let all: readonly string[];
let unplanned: string | undefined;
let warnings: readonly Problem[];

beforeEach(() => {
  modified = ['network'];
  deleted = [];
  unplanned = undefined;
  warnings = [];
  all = ['network', 'database', 'off'];
});

const named = (name: string): Root => ({ ...aRoot(), name });

type Subject = Parameters<typeof findWantedRoots>[0];

function wantedRoots(record: Partial<PullRequestRecord> = {}) {
  const ordering = [...new Set([...modified, ...all])].map((rootName) => ({ rootName, group: 0, dependsOn: [] }));
  const findRoots = ({ names }: { readonly names: readonly string[] }) => {
    const unknown = names.filter((name) => !all.includes(name));
    if (unknown.length > 0) return Promise.resolve({ kind: 'unknown', names: unknown, sentence: '' });
    return Promise.resolve({ kind: 'roots', roots: names.map(named), file: 'nereid.yaml', warnings: [], ordering });
  };
  const found = { kind: 'roots', modified: modified.map((name) => ({ root: named(name) })), deleted, ordering };
  const discoverRoots = () => Promise.resolve({ ...found, unplanned, file: 'nereid.yaml', warnings });
  const context = {
    mirrors: { changedFiles: () => Promise.resolve({ head: MERGED, files: [] }), tree: () => ({}) },
    discovery: { discoverRoots, findRoots },
    refusedRevisions: new Map(),
    server: { current: () => ({ commentNames: ['nereid'] }) },
  };
  const subject = {
    tools: { context, signal: new AbortController().signal },
    repository: REPOSITORY,
    policy: {},
    pullRequest: { headSha: HEAD },
    record,
  } as unknown as Subject; // Nothing else of it is used.
  return findWantedRoots(subject, BASE, MERGED);
}

const asked = (rootNames: readonly string[], headSha = HEAD): Pick<PullRequestRecord, 'asked'> => ({
  asked: { requestId: 'r1', headSha, rootNames, by: 'ada', at: '2026-01-31T14:00:00.000Z' },
});

const looked = (previews: readonly PreviewRef[], headSha = HEAD): Pick<PullRequestRecord, 'look'> => ({
  look: { isOpen: true, headSha, headAt: '', baseBranch: 'main', at: '', previews },
});

describe('a root that somebody named', () => {
  test('is planned beside those that the merge modifies', async () => {
    expect(await wantedRoots(asked(['off', 'database']))).toMatchObject({
      roots: [{ name: 'network' }],
      named: [{ name: 'off' }, { name: 'database' }],
      unplanned: 0,
    });
  });

  test('is planned where the merge modifies none', async () => {
    modified = [];

    expect(await wantedRoots(asked(['off']))).toMatchObject({ roots: [], named: [{ name: 'off' }] });
    expect(await wantedRoots()).toMatchObject({ verdict: { conclusion: 'success', title: 'Touches no root' } });
  });

  test('is no other one where the merge modifies or removes it', async () => {
    deleted = ['gone'];

    expect(await wantedRoots(asked(['network', 'gone']))).toMatchObject({ roots: [{ name: 'network' }], named: [] });
  });

  test('stays planned when another one is named, or all are planned again', async () => {
    const before = looked([
      { rootName: 'database', deploymentId: 'p1', isNamed: true },
      { rootName: 'off', deploymentId: 'p2' },
    ]);

    expect(await wantedRoots({ ...before, ...asked(['off']) })).toMatchObject({
      named: [{ name: 'off' }, { name: 'database' }],
    });
    expect(await wantedRoots({ ...before, ...asked([]) })).toMatchObject({ named: [{ name: 'database' }] });
  });

  test('is forgotten with another head', async () => {
    const before = looked([{ rootName: 'database', deploymentId: 'p1', isNamed: true }], BASE);

    expect(await wantedRoots({ ...before, ...asked(['off'], BASE) })).toMatchObject({ named: [] });
  });

  test('is left out where the merged result does not have it any more', async () => {
    expect(await wantedRoots(asked(['database', 'never']))).toMatchObject({ named: [{ name: 'database' }] });
  });
});

test('where no root is planned, it is said which may read the changed files all the same', async () => {
  modified = [];
  unplanned = '"lib/h.py" is an input of no root';

  expect(await wantedRoots()).toMatchObject({ verdict: { title: 'Touches no root', lines: [unplanned] } });
});

test('warnings about the configuration are said, whether or not a root is planned', async () => {
  warnings = [{ path: '', message: 'expected nereid.yaml, found nereid.yml' }];

  expect(await wantedRoots()).toMatchObject({ configWarnings: ['expected nereid.yaml, found nereid.yml'] });
  modified = [];
  expect(await wantedRoots()).toMatchObject({ verdict: { lines: ['expected nereid.yaml, found nereid.yml'] } });
});

describe('more than a hundred roots', () => {
  beforeEach(() => {
    modified = Array.from({ length: 101 }, (_, index) => `r${index}`);
    all = [...modified, 'database'];
  });

  test('wait for somebody who names some', async () => {
    expect(await wantedRoots()).toMatchObject({
      verdict: {
        conclusion: 'action_required',
        title: '101 roots, the limit is 100: comment `nereid plan <root>…`',
        lines: [expect.stringMatching(/^r0, r1/)],
      },
    });
  });

  test('are planned by name, those that the merge modifies and others', async () => {
    expect(await wantedRoots(asked(['r7', 'database']))).toMatchObject({
      roots: [{ name: 'r7' }],
      named: [{ name: 'database' }],
      unplanned: 100,
    });
  });

  test('fail a group of a merge queue, for which nobody can name any', async () => {
    expect(await wantedRoots({ group: {} as NonNullable<PullRequestRecord['group']> })).toMatchObject({
      verdict: { conclusion: 'failure', title: '101 roots, the limit is 100: merge fewer pull requests at once' },
    });
  });
});
