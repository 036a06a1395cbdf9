import { expect, test } from '@jest/globals';
import { describeReplay } from './describe-replay.ts';

const ALL_WELL = { count: 2, broken: [], unread: [], isCutShort: false };
const LANE = { workflowId: 'acme/infra||network', runId: 'r', type: 'deploy' };

test('a build is fit for an upgrade only if it is known of each open workflow that it replays', () => {
  const broken = [{ ...LANE, event: undefined, what: 'another timer' }];
  const unread = [{ ...LANE, why: 'no answer' }];

  expect(describeReplay(ALL_WELL).isFit).toBe(true);
  expect(describeReplay({ ...ALL_WELL, broken }).isFit).toBe(false);
  expect(describeReplay({ ...ALL_WELL, unread }).isFit).toBe(false);
  expect(describeReplay({ ...ALL_WELL, isCutShort: true }).isFit).toBe(false);
});

test('each workflow has a line with its id, its type, its event and what differs', () => {
  const broken = [{ ...LANE, event: { id: 12, type: 'TimerStarted' }, what: 'no timer is expected' }];
  const unread = [{ ...LANE, why: 'no answer' }];

  expect(describeReplay({ ...ALL_WELL, broken, unread, isCutShort: true }).lines).toEqual([
    'would break: acme/infra||network (deploy, run r) at event 12, TimerStarted: no timer is expected',
    'could not be fetched: acme/infra||network (deploy, run r): no answer',
    'time ran out before the last open workflow: repeat with a longer --within',
    '2 open workflows replayed: 1 would break, 1 could not be fetched',
  ]);
});

test('of a release that breaks thousands, the first ones are listed and all are counted', () => {
  const broken = Array.from({ length: 5_000 }, () => ({ ...LANE, event: undefined, what: 'another timer' }));

  const { lines } = describeReplay({ ...ALL_WELL, count: 5_000, broken });

  expect(lines).toHaveLength(202);
  expect(lines.slice(200)).toEqual([
    'and 4800 more would break',
    '5000 open workflows replayed: 5000 would break, 0 could not be fetched',
  ]);
});
