import { expect, test } from '@jest/globals';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import { aConsole, aControl, laneWith } from '../testing.ts';

test('a page says what each of its buttons does', async () => {
  const review = aDeployment({ status: 'awaiting-review', plan: aPlan() });
  const console = await aConsole({ isLocal: true, requests: aControl().requests, lane: laneWith(review) });

  const page = await (await console.get(`/deployments/${review.id}?lane=acme%2Finfra%2Fnetwork`)).text();

  expect(page).toContain(
    'Confirm: apply exactly this plan. Reject: end this deployment, apply nothing. Extend: wait longer',
  );
});
