import { expect, test } from '@jest/globals';
import { aBreakGlass, aDeployment, aPlan } from '@nereid/domain/testing';
import { aConsole, aControl } from '../testing.ts';

test('a page says what each of its buttons does', async () => {
  const review = aDeployment({ status: 'awaiting-review', plan: aPlan() });
  const console = await aConsole({ isLocal: true, requests: aControl().requests, lane: { running: review } });

  const page = await (await console.get(`/deployments/${review.id}?lane=acme%2Finfra%2Fnetwork`)).text();

  expect(page).toContain(
    'Confirm: apply exactly this plan. Reject: end this deployment, apply nothing. Extend: wait longer',
  );
});

test.each([
  ['stop', true],
  ['window', true],
  ['budget', false],
] as const)('a deployment that waits at the gate %s can be let pass, with a reason: %s', async (gate, isOffered) => {
  const blocked = aDeployment({ status: 'blocked', plan: aPlan(), waitsFor: { gate, who: [] } });
  const console = await aConsole({ isLocal: true, requests: aControl().requests, lane: { running: blocked } });

  const page = await (await console.get(`/deployments/${blocked.id}?lane=acme%2Finfra%2Fnetwork`)).text();

  expect(page.includes('Break glass')).toBe(isOffered);
  expect(page.includes('name="reason" required')).toBe(isOffered);
});

test('a page says who let a deployment pass stops and windows, and why', async () => {
  const glass = aBreakGlass({ reason: 'the <site> is down' });
  const applying = aDeployment({ status: 'applying', plan: aPlan(), glass });
  const console = await aConsole({ isLocal: true, lane: { running: applying } });

  const page = await (await console.get(`/deployments/${applying.id}?lane=acme%2Finfra%2Fnetwork`)).text();

  expect(page).toMatch(/@ada let it pass stops and windows, .*the &lt;site&gt; is down/s);
});

test('a plan that waits for its gate can still be rejected', async () => {
  const blocked = aDeployment({ status: 'blocked', plan: aPlan(), reason: 'Closed until Mon 08:00 UTC' });
  const console = await aConsole({ isLocal: true, requests: aControl().requests, lane: { running: blocked } });

  const page = await (await console.get(`/deployments/${blocked.id}?lane=acme%2Finfra%2Fnetwork`)).text();

  expect(page).toContain('Reject: end this deployment, apply nothing. Cancel: end');
  expect(page).not.toContain('Confirm: apply');
});
