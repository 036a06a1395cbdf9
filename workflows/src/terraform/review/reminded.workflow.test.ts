/** How whoever reminds people finds a plan that waits for them: in lists of Temporal, and by the beginning of its wait. */
import { expect, test } from '@jest/globals';
import { aRoot } from '@nereid/domain/deployment-testing';
import { dueReminders, NEVER_REMINDED, remindedOf, type Reminded } from '@nereid/domain/gates';
import { SEARCH_ATTRIBUTE, WORKFLOW } from '@nereid/domain/temporal-names';
import { eventually, stageOfThisFile, type Played } from '../fixtures/stage.ts';

const stage = stageOfThisFile();

const HOUR_MS = 3_600_000;
const REMINDERS = { remindMs: [4 * HOUR_MS], escalate: { afterMs: 24 * HOUR_MS, to: 'acme/leads' } };
const SEVERAL = { root: aRoot({ review: { count: 2, eachOf: [] } }) };
const QUERY = `WorkflowType = '${WORKFLOW.terraform}' AND ExecutionStatus = 'Running' AND ${SEARCH_ATTRIBUTE.state} = 'awaiting-review'`;

/** Returns once Temporal lists it among those that wait for a review, or no longer does. */
function isListed({ handle }: Played, expected: boolean): Promise<unknown> {
  return eventually(async () => {
    const listed = await Array.fromAsync(handle.client.list({ query: QUERY }));
    const isThere = listed.some(({ workflowId }) => workflowId === handle.workflowId);
    return isThere === expected || new Error(`expected it to be listed: ${expected}, found ${isThere}`);
  });
}

/** When the wait began, once so many have confirmed. */
function waitsSince(deployment: Played, count: number): Promise<number> {
  return eventually(async () => {
    const { approvals = [], times } = await deployment.progress();
    const since = Date.parse(times['awaiting-review'] ?? '');
    return approvals.length === count ? since : new Error(`expected ${count} approvals, found ${approvals.length}`);
  });
}

/** What is said when somebody looks after so many hours. */
function saidAfter(hours: number, since: number, looked: number, said: Reminded = NEVER_REMINDED) {
  const due = dueReminders(REMINDERS, said, looked + hours * HOUR_MS - since);
  return { teams: due.map(({ team = 'all' }) => team), said: remindedOf(said, due) };
}

test('a plan is listed for as long as it waits, and its reminders count from the beginning, whoever confirms meanwhile', async () => {
  const deployment = await stage.start({}, SEVERAL);
  await deployment.reached('awaiting-review');
  await isListed(deployment, true);
  const since = await waitsSince(deployment, 0);
  const first = saidAfter(4, since, since);
  expect(first.teams).toEqual(['all']);

  await deployment.review({ by: 'bob', byId: 7 });
  await deployment.extend({ until: '2998-01-31T14:00:00.000Z' });

  expect(await waitsSince(deployment, 1)).toBe(since);
  await isListed(deployment, true);
  expect(saidAfter(24, await waitsSince(deployment, 1), since, first.said).teams).toEqual(['acme/leads']);

  await deployment.review({ by: 'carol', byId: 8 });
  expect((await deployment.result()).status).toBe('succeeded');
  await isListed(deployment, false);
});
