import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Presentation } from '@nereid/domain/deployment';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { appearance } from '@nereid/domain/lane';
import { aDeployment, planned } from '@nereid/domain/deployment-testing';
import { EXPLAINED_SOON, stageOfThisFile } from './fixtures/stage.ts';
import { anUnlock } from '@nereid/domain/testing';

const stage = stageOfThisFile();

/** Long after what lasts would be shown. */
const QUIET_MS = 200;

const statusOf = ({ deployment }: Presentation) => deployment.progress.status;

test('what its lane shows already is not shown again, unless the lane could not', async () => {
  const isPlanned = Promise.withResolvers<undefined>();
  const plan = async () => {
    await isPlanned.promise;
    return planned();
  };
  const reported = { digest: appearance({ deployment: aDeployment() }) };
  const deployment = await stage.start({ plan }, { reported, durations: EXPLAINED_SOON });
  await deployment.reached('planning');
  await pause(QUIET_MS);

  expect(deployment.asked.shown).toEqual([]);
  await deployment.handle.signal(MESSAGE.showAgain, { version: 1 });
  await deployment.shows('planning');

  isPlanned.resolve(undefined);
  await deployment.reached('awaiting-review');
  await deployment.review({ answer: 'rejected' });
  await deployment.result();
  expect(deployment.asked.shown.map(statusOf).filter((status) => status === 'planning')).toHaveLength(1);
});

test('its lane hears of the end while GitHub is still being told of the review; what follows waits for that', async () => {
  const isTaken = Promise.withResolvers<undefined>();
  const asked: Presentation[] = [];
  const show = async (presentation: Presentation) => {
    asked.push(presentation);
    if (statusOf(presentation) === 'awaiting-review') await isTaken.promise;
  };
  const deployment = await stage.start({ show });
  await deployment.until('awaiting-review', () => asked.some((one) => statusOf(one) === 'awaiting-review'));
  await deployment.review({ answer: 'rejected' });

  await deployment.until('its end', ({ ends }) => ends.length === 1);
  expect(asked.map(statusOf)).not.toContain('rejected');
  await deployment.record('end-while-github-is-told');

  isTaken.resolve(undefined);
  expect((await deployment.result()).status).toBe('rejected');
  expect(asked.map(statusOf).at(-1)).toBe('rejected');
  expect(deployment.asked.records).toHaveLength(1);
});

test('a lock that is lifted while GitHub is told of the end is shown, too, and stays with the deployment', async () => {
  const isTaken = Promise.withResolvers<undefined>();
  const asked: Presentation[] = [];
  const show = async (presentation: Presentation) => {
    asked.push(presentation);
    if (statusOf(presentation) === 'rejected') await isTaken.promise;
  };
  const deployment = await stage.start({ show });
  await deployment.reached('awaiting-review');
  await deployment.review({ answer: 'rejected' });
  await deployment.until('rejected', () => asked.some((one) => statusOf(one) === 'rejected'));

  const unlocked = anUnlock();
  await deployment.handle.signal(MESSAGE.showAgain, { version: 1, unlocked });
  isTaken.resolve(undefined);

  await deployment.result();
  expect(asked.at(-1)?.deployment.unlocked).toEqual(unlocked);
  expect(asked.map(({ deployment }) => deployment.unlocked)).toContain(undefined);
});
