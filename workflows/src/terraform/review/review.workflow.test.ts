import { describe, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { DIGEST, OTHER_DIGEST, planned } from '@nereid/domain/deployment-testing';
import { EXPLAINED_SOON, eventually, stageOfThisFile, type Played } from '../fixtures/stage.ts';

const stage = stageOfThisFile();

describe('a review that does not count changes nothing and is told on the check run', () => {
  test('for another plan', async () => {
    const deployment = await stage.start();
    await deployment.reached('awaiting-review');

    await deployment.review({ digest: OTHER_DIGEST });

    expect(await notice(deployment)).toContain('@grace pressed Confirm: that was for another plan');
    expect(await deployment.progress()).not.toHaveProperty('review');
    await deployment.review({ answer: 'rejected' });
    expect((await deployment.result()).status).toBe('rejected');
  });

  test('that intake did not sign: nobody is told, and nothing is audited', async () => {
    const deployment = await stage.start();
    await deployment.reached('awaiting-review');

    await deployment.review({ by: 'officer', answer: 'rejected' }, 'made up');
    await deployment.review({ by: 'officer', requestId: 'press' }, 'made up');
    await forged(deployment, 3);

    expect(await deployment.progress()).not.toHaveProperty('review');
    await deployment.review({ by: 'grace', requestId: 'press' });
    expect(await deployment.result()).toMatchObject({ status: 'succeeded', review: { by: 'grace' } });
    expect(deployment.asked.userActions).toMatchObject([{ initiatingUser: 'grace' }]);
    expect(deployment.asked.shown.every(({ notice: shown }) => shown === undefined)).toBe(true);
    await deployment.record('forged-reviews-dropped');
  });

  test.each(['approved', 'rejected'] as const)(
    'while one that nobody signed is checked, a real one waits: %s',
    async (answer) => {
      const checked = Promise.withResolvers<undefined>();
      const deployment = await stage.start({ refuse: () => checked.promise });
      await deployment.reached('awaiting-review');
      const press = { requestId: 'press' };

      await deployment.review({ ...press, by: 'officer' }, 'made up');
      await deployment.review({ ...press, answer });
      checked.resolve(undefined);

      const status = answer === 'approved' ? 'succeeded' : 'rejected';
      expect(await deployment.result()).toMatchObject({ status, review: { answer, by: 'grace' } });
      expect(deployment.asked.userActions).toMatchObject([{ state: 'REVIEWED', initiatingUser: 'grace' }]);
      expect(deployment.asked.shown.every(({ notice: shown }) => shown === undefined)).toBe(true);
    },
  );

  test('before the plan is there', async () => {
    const made = Promise.withResolvers<ReturnType<typeof planned>>();
    const deployment = await stage.start({ plan: () => made.promise }, { durations: EXPLAINED_SOON });
    await deployment.reached('planning');

    await deployment.review();

    expect(await notice(deployment)).toContain('no plan is shown at this moment');
    made.resolve(planned());
    expect(await deployment.reached('awaiting-review')).not.toHaveProperty('review');
    await deployment.handle.cancel();
    await deployment.result();
  });

  test('after another answer: the first one wins', async () => {
    const applied = Promise.withResolvers<unknown>();
    const counts = { added: 0, changed: 0, destroyed: 0, imported: 0 };
    const deployment = await stage.start({
      apply: () => applied.promise.then(() => ({ kind: 'applied', counts })),
    });
    await deployment.reached('awaiting-review');
    await deployment.review({ requestId: 'once' });

    // The same press, delivered again, is no other answer.
    await deployment.review({ requestId: 'once' });
    await deployment.review({ answer: 'rejected', by: 'linus' });

    expect(await notice(deployment)).toContain('@linus pressed Reject');
    applied.resolve('go');
    expect(await deployment.result()).toMatchObject({
      status: 'succeeded',
      review: { answer: 'approved', by: 'grace' },
    });
  });
});

describe('what came of a press is audited', () => {
  test('as accepted for the answer that counts, as refused for every other', async () => {
    const deployment = await stage.start({}, { pullRequest: 7 });
    await deployment.reached('awaiting-review');

    await deployment.review({ requestId: 'delivery-1:network', digest: OTHER_DIGEST, by: 'linus' });
    await notice(deployment);
    await deployment.review({ requestId: 'delivery-2:network', answer: 'rejected' });
    await deployment.review({ requestId: 'delivery-2:network', answer: 'rejected' });
    await deployment.result();
    await deployment.record('one-press-refused-another-taken');

    const about = {
      version: 1,
      repository: 'acme/infra',
      rootName: 'network',
      revision: 'c'.repeat(40),
      deploymentId: deployment.handle.workflowId,
      pullRequest: 7,
      workflowId: deployment.handle.workflowId,
      pressedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    };
    // Each is recorded by an activity of its own.
    const recorded = deployment.asked.userActions.toSorted((one, other) => one.id.localeCompare(other.id));
    expect(recorded).toEqual([
      {
        ...about,
        id: 'delivery-1:network:REFUSED',
        state: 'REFUSED',
        action: 'confirm',
        initiatingUser: 'linus',
        sentence: '@linus pressed Confirm: that was for another plan. Review the plan shown here.',
      },
      {
        ...about,
        id: 'delivery-2:network:REVIEWED',
        state: 'REVIEWED',
        action: 'reject',
        initiatingUser: 'grace',
      },
    ]);
  });

  test('before the deployment ends, although the audit trail was away and it was cancelled', async () => {
    let failures = 2;
    const auditUserAction = async () => {
      failures -= 1;
      if (failures >= 0) throw new Error('the topic is away');
    };
    const deployment = await stage.start({ auditUserAction });
    await deployment.reached('awaiting-review');

    await deployment.review({ digest: OTHER_DIGEST });
    await deployment.handle.cancel();
    await deployment.result();
    await deployment.record('press-audited-late');

    expect(deployment.asked.userActions).toMatchObject([{ state: 'REFUSED' }]);
  });
});

test('a press whose audit is refused for good does not keep the deployment from its end', async () => {
  const auditUserAction = () => Promise.reject(ApplicationFailure.nonRetryable('no such topic'));
  const deployment = await stage.start({ auditUserAction });
  await deployment.reached('awaiting-review');

  await deployment.review({ digest: OTHER_DIGEST });
  await deployment.handle.cancel();

  expect((await deployment.result()).status).toBe('cancelled');
});

// No lane runs here: telling it takes eight of them.
test('an approved deployment takes a history of at most 70 events', async () => {
  const deployment = await stage.start();
  await deployment.reached('awaiting-review');
  await deployment.review({ digest: DIGEST });
  await deployment.result();

  const { events } = await deployment.handle.fetchHistory();

  expect(events?.length).toBeLessThanOrEqual(70);
});

/** Returns once this many activities have found something forged. */
async function forged({ handle }: Played, times: number): Promise<void> {
  await eventually(async () => {
    const { events } = await handle.fetchHistory();
    const failed = events?.filter(({ activityTaskFailedEventAttributes: found }) => found).length ?? 0;
    return failed < times ? new Error(`expected ${times} activities to fail, found ${failed}`) : failed;
  });
}

/** The first notice that the check run shows. */
async function notice(deployment: Played): Promise<string | undefined> {
  await deployment.until('a notice on the check run', ({ shown }) => shown.some((one) => one.notice !== undefined));
  return deployment.asked.shown.find((one) => one.notice !== undefined)?.notice;
}
