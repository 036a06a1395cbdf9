import { expect, test } from '@jest/globals';
import { SLOT_NEEDED } from '@nereid/domain/temporal-names';
import { ApplicationFailure } from '@temporalio/common';
import { planned } from '@nereid/domain/deployment-testing';
import { EXPLAINED_SOON, stageOfThisFile, type Played } from './fixtures/stage.ts';

const stage = stageOfThisFile();

const PREVIEW = {
  trigger: 'preview',
  pullRequest: 7,
  preview: { headSha: 'd'.repeat(40), baseSha: 'e'.repeat(40), expiresAt: '2026-01-31T15:00:00.000Z' },
} as const;

const AGAIN = 'Planning begins again: a deployment needed its slot';

/** Longer than any test. */
const LONG_MS = 3_600_000;

/** Each of them is six events of history, and a pull request may have a hundred previews. */
async function activitiesOf({ handle }: Played): Promise<readonly string[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap((event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? []);
}

test('a preview is planned and ended: two activities, and one write of its check run', async () => {
  const preview = await stage.start({}, { ...PREVIEW, durations: { quietMs: LONG_MS } });

  expect((await preview.result()).status).toBe('planned');

  expect(preview.asked.calls).toEqual(['claim h1', 'plan h1']);
  expect(preview.asked.shown.map(({ deployment }) => deployment.progress.status)).toEqual(['planned']);
  expect(await activitiesOf(preview)).toEqual(['claimAndPlan', 'endDeployment']);
  await preview.record('preview-planned');
});

test('a preview that is interrupted for deployments is planned again, at once and as often as need be', async () => {
  const interrupted = ApplicationFailure.create({ message: 'a deployment needed its slot', type: SLOT_NEEDED });
  const plan = (_host: string, attempt: number) =>
    attempt < 5 ? Promise.reject(interrupted) : Promise.resolve(planned());
  // A pause would be as long as the test may take, and there is no patience for one.
  const durations = { pauseMs: LONG_MS, patienceMs: 0 };
  const preview = await stage.start({ plan }, { ...PREVIEW, durations });

  expect((await preview.result()).status).toBe('planned');

  expect(preview.asked.calls.filter((call) => call === 'plan h1')).toHaveLength(6);
  const reasons = preview.asked.shown.map(({ deployment }) => deployment.progress.reason);
  expect(reasons.at(-1)).toBeUndefined();
});

test('a preview that waits for a slot again says why it was interrupted', async () => {
  const isFree = Promise.withResolvers<string>();
  const interrupted = ApplicationFailure.create({ message: 'a deployment needed its slot', type: SLOT_NEEDED });
  const preview = await stage.start(
    {
      claim: (attempt) => (attempt === 0 ? Promise.resolve('h1') : isFree.promise),
      plan: (_host, attempt) => (attempt === 0 ? Promise.reject(interrupted) : Promise.resolve(planned())),
    },
    PREVIEW,
  );

  await preview.until('why it was interrupted', ({ shown }) =>
    shown.some(({ deployment }) => deployment.progress.reason === AGAIN),
  );
  isFree.resolve('h2');

  expect(await preview.result()).toMatchObject({ status: 'planned', hostId: 'h2' });
});

test('a preview that is planned for long says so', async () => {
  const isPlanned = Promise.withResolvers<undefined>();
  const plan = async () => {
    await isPlanned.promise;
    return planned();
  };
  const preview = await stage.start({ plan }, PREVIEW);
  await preview.shows('preparing');

  isPlanned.resolve(undefined);
  expect((await preview.result()).status).toBe('planned');
  expect(preview.asked.shown.at(-1)?.deployment.progress.status).toBe('planned');
  await preview.record('preview-planned-for-long');
});

test('a preview without a check run of its own has nothing to write before its end', async () => {
  const isPlanned = Promise.withResolvers<undefined>();
  const plan = async () => {
    await isPlanned.promise;
    return planned();
  };
  const preview = { ...PREVIEW.preview, isOnlyInTable: true };
  const deployment = await stage.start({ plan }, { ...PREVIEW, preview, durations: EXPLAINED_SOON });
  await deployment.reached('planning');
  // Another one, which began later, has written its own by then.
  const other = await stage.start({ plan }, { ...PREVIEW, durations: EXPLAINED_SOON });
  await other.shows('preparing');

  isPlanned.resolve(undefined);
  await Promise.all([deployment.result(), other.result()]);
  expect(new Set(await activitiesOf(deployment))).toEqual(new Set(['claimAndPlan', 'explainWait', 'endDeployment']));
});

test('a preview that is cancelled before anybody saw a check run of it gets none', async () => {
  const isCancelled = Promise.withResolvers<undefined>();
  const plan = async () => {
    await isCancelled.promise;
    return planned();
  };
  const preview = await stage.start({ plan }, { ...PREVIEW, durations: { quietMs: LONG_MS, ...EXPLAINED_SOON } });
  await preview.reached('planning');
  await preview.handle.cancel();
  isCancelled.resolve(undefined);

  expect((await preview.result()).status).toBe('cancelled');
  expect(preview.asked.shown).toEqual([]);
  await preview.record('preview-cancelled');
});

test('the check run of a preview that is cancelled says so', async () => {
  const isCancelled = Promise.withResolvers<undefined>();
  const plan = async () => {
    await isCancelled.promise;
    return planned();
  };
  const preview = await stage.start({ plan }, PREVIEW);
  await preview.shows('preparing');
  await preview.handle.cancel();
  isCancelled.resolve(undefined);

  await preview.result();
  expect(preview.asked.shown.at(-1)?.deployment.progress.status).toBe('cancelled');
});
