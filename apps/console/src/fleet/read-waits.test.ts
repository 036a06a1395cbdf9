import { beforeEach, expect, test } from '@jest/globals';
import type { Progress } from '@nereid/domain/deployment';
import { aPlan } from '@nereid/domain/testing';
import type { Asked } from '../platform/temporal/asked.ts';
import { createReadProgress, createReadWaits } from './read-waits.ts';
import { aFleetDeployment } from './testing.ts';

const SINCE = '2026-11-22T10:00:00.000Z';
const WAITING: Progress = { status: 'awaiting-review', times: { 'awaiting-review': SINCE }, jobs: {}, plan: aPlan() };
const deployment = (id: string) => aFleetDeployment({ id, status: 'awaiting-review' });

let asked: string[];
let answer: () => Promise<Asked<Progress>>;
const askProgress = (id: string) => {
  asked.push(id);
  return answer();
};

beforeEach(() => {
  asked = [];
  answer = () => Promise.resolve({ kind: 'found', value: WAITING });
});

test('a wait for a review says since when it lasts, when it ends, and what the plan would change', async () => {
  const readWaits = createReadWaits(createReadProgress(askProgress));

  expect(await readWaits([deployment('1')])).toEqual(
    new Map([
      [
        '1',
        {
          reviewWait: {
            since: SINCE,
            endsAt: '2026-02-07T14:05:00.000Z',
            changes: '2 to add, 1 to change, 2 to destroy',
          },
        },
      ],
    ]),
  );
});

test('a wait at a gate before the apply has its reason, which only the workflow knows', async () => {
  const reason = 'Stopped by ada until Mon 08:00 UTC: an incident';
  const waitsFor = { gate: 'stop', who: ['thaw'] } as const;
  answer = () => Promise.resolve({ kind: 'found', value: { ...WAITING, status: 'blocked', reason, waitsFor } });
  const readWaits = createReadWaits(createReadProgress(askProgress));

  expect(await readWaits([aFleetDeployment({ id: '1', status: 'blocked' })])).toEqual(
    new Map([['1', { reason, waitsFor }]]),
  );
});

test('only workflows that wait, and whose lanes do not know why, are asked, each once for all who want to know', async () => {
  const readWaits = createReadWaits(createReadProgress(askProgress));
  const ofLane = aFleetDeployment({ id: '4', status: 'blocked', reason: 'waits for wave 1' });
  const all = [deployment('1'), aFleetDeployment({ id: '2', status: 'planning' }), deployment('3'), ofLane];

  await Promise.all([readWaits(all), readWaits(all)]);
  await readWaits(all);

  expect(asked.toSorted()).toEqual(['1', '3']);
});

test('workflows that do not answer in time are in the next picture', async () => {
  const { promise, resolve } = Promise.withResolvers<Asked<Progress>>();
  answer = () => promise;
  const readWaits = createReadWaits(createReadProgress(askProgress), 0);

  expect(await readWaits([deployment('1')])).toEqual(new Map());
  resolve({ kind: 'found', value: WAITING });
  await promise;

  await expect(untilKnown(readWaits)).resolves.toMatchObject({ reviewWait: { since: SINCE } });
  expect(asked).toEqual(['1']);
});

test('of very many, some are asked for each picture', async () => {
  const readWaits = createReadWaits(createReadProgress(askProgress));
  const many = Array.from({ length: 70 }, (_, index) => deployment(String(index)));

  expect((await readWaits(many)).size).toBe(50);
  expect((await readWaits(many)).size).toBe(70);
});

test('a workflow that does not answer is left alone for a while, and its deployment is as its lane knows it', async () => {
  answer = () => Promise.resolve({ kind: 'unavailable' });
  const readProgress = createReadProgress(askProgress);

  expect(await readProgress(deployment('1'))).toEqual(deployment('1'));
  await readProgress(deployment('1'));

  expect(asked).toEqual(['1']);
});

test('once Temporal lists another status, the workflow is asked again', async () => {
  const readProgress = createReadProgress(askProgress);
  await readProgress(deployment('1'));
  answer = () => Promise.resolve({ kind: 'found', value: { ...WAITING, status: 'applying' } });

  const applying = await readProgress({ ...deployment('1'), status: 'applying' });

  expect(applying).toMatchObject({ status: 'applying' });
  expect(applying).not.toHaveProperty('reviewWait');
  expect(asked).toEqual(['1', '1']);
});

/** Takes as many turns as the answer needs to be remembered. */
async function untilKnown(readWaits: ReturnType<typeof createReadWaits>) {
  for (;;) {
    const reviewWait = (await readWaits([deployment('1')])).get('1');
    if (reviewWait) return reviewWait;
  }
}
