/** A plan that several people have to confirm, in its workflow. */
import { expect, test } from '@jest/globals';
import { aRoot } from '@nereid/domain/deployment-testing';
import { eventually, stageOfThisFile, type Played } from '../fixtures/stage.ts';

const stage = stageOfThisFile();

const SEVERAL = { root: aRoot({ review: { count: 2, eachOf: [] } }) };

/** Returns once so many have confirmed. */
function confirmedBy(deployment: Played, count: number): Promise<unknown> {
  return eventually(async () => {
    const { approvals = [] } = await deployment.progress();
    return approvals.length === count ? approvals : new Error(`expected ${count} approvals, found ${approvals.length}`);
  });
}

test('it is applied once two people have confirmed it, and no other answer counts', async () => {
  const deployment = await stage.start({}, SEVERAL);
  await deployment.reached('awaiting-review');

  await deployment.review({ by: 'officer' }, 'made up');
  await deployment.review({ by: 'bob', byId: 7 });
  await confirmedBy(deployment, 1);
  await deployment.review({ by: 'bob', byId: 7 });
  await deployment.review({ by: 'carol', byId: 8 });

  const { status, review, approvals } = await deployment.result();
  expect({ status, by: review?.by }).toEqual({ status: 'succeeded', by: 'carol' });
  expect(approvals?.map(({ body }) => body.by)).toEqual(['bob', 'carol']);
  // Each is audited by itself, so they come in any order.
  const said = deployment.asked.userActions.map(({ state, initiatingUser }) => `${initiatingUser} ${state}`);
  expect(said.toSorted()).toEqual(['bob REFUSED', 'bob REVIEWED', 'carol REVIEWED']);
  const titles = deployment.asked.shown.map(({ deployment: { progress } }) => progress.approvals?.length ?? 0);
  expect(titles).toContain(1);
});

test('one Reject ends it', async () => {
  const deployment = await stage.start({}, SEVERAL);
  await deployment.reached('awaiting-review');
  await deployment.review({ by: 'bob', byId: 7 });
  await confirmedBy(deployment, 1);

  await deployment.review({ by: 'carol', answer: 'rejected' });

  expect(await deployment.result()).toMatchObject({ status: 'rejected', review: { by: 'carol' } });
  expect(deployment.asked.beginnings).toEqual([]);
});
