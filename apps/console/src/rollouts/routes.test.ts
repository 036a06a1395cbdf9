import { expect, test } from '@jest/globals';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import { aConsole, laneWith, REPOSITORY, RUNNING } from '../testing.ts';

const ROLLOUT = `/rollouts/acme/infra/${RUNNING.revision.sha}`;

test('a merge has all its roots, those that ended and those under way', async () => {
  const statuses = new Map([[RUNNING.id, 'awaiting-review' as const]]);
  const console = await aConsole({ isLocal: true, lane: laneWith(RUNNING), statuses });
  const deployment = aDeployment({ status: 'succeeded', plan: aPlan() });
  const ended = { ...deployment, id: 'applied', root: { ...deployment.root, name: 'database' } };
  const record = { version: 1, repository: REPOSITORY, endedAt: new Date().toISOString() } as const;
  await console.records.write({ ...record, deployment: ended });

  const list = await (await console.get('/rollouts')).text();
  const page = await (await console.get(ROLLOUT)).text();
  const plans = await (await console.get(`${ROLLOUT}/plans`)).text();

  expect(page).toContain(`href="${RUNNING.revision.sha}/plans"`);
  expect(plans).toContain('No plan of this revision waits for a person.'); // It only plans, as its lane says.
  expect(list).toContain(`href="rollouts/acme/infra/${RUNNING.revision.sha}"`);
  expect(list).toContain('1 to review');
  expect(page).toContain('lanes/acme/infra/database');
  expect(page).toContain('Waiting for a review');
});
