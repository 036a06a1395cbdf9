import { expect, test } from '@jest/globals';
import type { Deployment, Progress } from '@nereid/domain/deployment';
import { deploymentAt, progressAs } from '@nereid/domain/testing';
import { broughtIn } from './brought.ts';

/** The merge at a position of the branch, with a revision of its own. */
function merge(position: number, status: Progress['status'], more: Partial<Deployment> = {}): Deployment {
  const { revision, ...deployment } = deploymentAt(position);
  return {
    ...deployment,
    revision: { ...revision, sha: sha(position), position },
    requestedBy: `merger-${position}`,
    progress: progressAs(status),
    ...more,
  };
}

function sha(position: number): string {
  return position.toString(16).padStart(40, '0');
}

const NOTHING = { ended: [], waiting: [] };

test('without a lane, only its own revision is known, and who asked for it', () => {
  expect(broughtIn([], merge(3, 'awaiting-review'))).toEqual({
    shas: [sha(3)],
    people: [{ login: 'merger-3' }],
    hasMore: false,
  });
});

test('what was merged since the last deployment with success comes with it, though it was rejected or skipped', () => {
  const ended = [merge(1, 'rejected'), merge(2, 'succeeded'), merge(3, 'rejected'), merge(4, 'skipped')];
  const waiting = [merge(6, 'queued')];

  expect(broughtIn([{ ended, waiting }], merge(5, 'awaiting-review'))).toMatchObject({
    shas: [5, 3, 4].map(sha),
    people: [{ login: 'merger-5' }, { login: 'merger-3' }, { login: 'merger-4' }],
  });
});

test('who merged it counts through re-runs, and who re-ran it does not', () => {
  const ended = [merge(1, 'apply-failed'), merge(2, 'succeeded')];
  const again = merge(1, 'awaiting-review', { id: 'again', trigger: 'manual', rerun: true, requestedBy: 'grace' });

  expect(broughtIn([{ ...NOTHING, ended }], again)).toMatchObject({ shas: [sha(1)], people: [{ login: 'merger-1' }] });
});

test('a re-run of what was deployed before takes nothing away', () => {
  const again = merge(2, 'no-changes', { id: 'again', trigger: 'manual', rerun: true });
  const ended = [merge(2, 'succeeded'), merge(3, 'rejected'), again];

  expect(broughtIn([{ ...NOTHING, ended }], merge(4, 'awaiting-review')).people).toEqual([
    { login: 'merger-4' },
    { login: 'merger-3' },
  ]);
});

test('a head that is deployed by hand brings itself, who asked for it, and what was merged and not deployed', () => {
  const head = merge(9, 'awaiting-review', { trigger: 'manual', requestedBy: 'grace' });
  const earlier = merge(8, 'succeeded', { trigger: 'manual', requestedBy: 'ada' });
  const ended = [merge(20, 'succeeded'), merge(30, 'rejected'), earlier];

  expect(broughtIn([{ ...NOTHING, ended }], head)).toMatchObject({
    shas: [9, 30].map(sha),
    people: [{ login: 'grace' }, { login: 'merger-30' }],
  });
});

test('a change that was rejected under another name comes with it', () => {
  const before = { ...NOTHING, ended: [merge(1, 'succeeded'), merge(2, 'rejected')] };

  expect(broughtIn([before, NOTHING], merge(3, 'awaiting-review')).people).toEqual([
    { login: 'merger-3' },
    { login: 'merger-2' },
  ]);
});

test('where the lane has forgotten what it deployed last, there may be more', () => {
  const latest = { deploymentId: 'd', revision: sha(1), trigger: 'merge', status: 'succeeded', at: '' } as const;

  expect(broughtIn([{ ...NOTHING, ended: [merge(2, 'rejected')], latest }], merge(3, 'planning')).hasMore).toBe(true);
});

test('of a long stretch not all revisions are asked for, which is said', () => {
  const ended = Array.from({ length: 40 }, (_, index) => merge(index + 1, 'rejected'));

  const { shas, hasMore } = broughtIn([{ ...NOTHING, ended }], merge(50, 'awaiting-review'));

  expect(shas).toHaveLength(20);
  expect(hasMore).toBe(true);
});
