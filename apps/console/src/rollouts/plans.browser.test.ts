/** The plans of a rollout that wait for a person, answered at once. */
import { expect, test } from '@jest/globals';
import { aDeployment, aPlan, aRoot } from '@nereid/domain/testing';
import { describeInBrowser } from '../fixtures/in-browser.ts';
import { aConsole, aControl, aLaneRecord, type PersonRequest } from '../testing.ts';

const WAITING = aDeployment({ status: 'awaiting-review', plan: aPlan() });
const ROOTS = ['network', 'database', 'dns'] as const;
const PAGE = `/rollouts/acme/infra/${WAITING.revision.sha}/plans`;
const REFUSED = { kind: 'refused', sentence: 'you brought this change', workflows: [] } as const;

describeInBrowser('the plans of a rollout', (open) => {
  /** `refuses` names a root whose answers control refuses. */
  async function openPlans({ refuses, ...options }: { refuses?: string; javaScriptEnabled?: boolean } = {}) {
    const control = aControl();
    const refusing = aControl({ result: REFUSED });
    const make = (one: PersonRequest) => (isAbout(one, refuses) ? refusing : control).requests.make(one);
    const { url, lanes } = await aConsole({ isLocal: true, requests: { ...control.requests, make } });
    for (const [index, rootName] of ROOTS.entries()) {
      const id = WAITING.id.slice(0, -1) + String(index);
      const running = { ...WAITING, id, root: { ...aRoot(), name: rootName } };
      await lanes.write({ ...aLaneRecord({ running }), rootName }, null);
    }
    const { page } = await open(url + PAGE, options);
    return { page, asked: () => [...control.asked, ...refusing.asked].map(({ request }) => request) };
  }

  test('are confirmed one by one with one press, each by what was shown of it', async () => {
    const { page, asked } = await openPlans();

    await page.getByRole('button', { name: 'Confirm all 3 plans' }).click();

    await page.getByText('3 of 3 done.').waitFor();
    expect(asked()).toMatchObject(
      ROOTS.toSorted().map((rootName) => ({
        action: 'confirm',
        rootName,
        seen: expect.stringMatching(/^[\da-f]{64}$/),
      })),
    );
  });

  test('say beside each what was refused, and a second press asks only for that', async () => {
    const { page, asked } = await openPlans({ refuses: 'dns' });
    const all = page.getByRole('button', { name: 'Confirm all 3 plans' });

    await all.click();
    await page.getByText('2 of 3 done; 1 not: see beside their buttons.').waitFor();
    await page.getByText('You brought this change.').waitFor();
    await all.click();
    await all.and(page.locator(':enabled')).waitFor();

    await page.getByText('2 of 3 done; 1 not: see beside their buttons.').waitFor();
    expect(asked()).toHaveLength(4);
  });

  test('are confirmed singly where no script runs', async () => {
    const { page, asked } = await openPlans({ javaScriptEnabled: false });

    expect(await page.getByRole('button', { name: 'Confirm all' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Confirm', exact: true }).first().click();

    await page.getByText('@alice unlocks network.').waitFor();
    expect(asked()).toMatchObject([{ action: 'confirm', rootName: 'database' }]);
  });
});

function isAbout({ request }: PersonRequest, rootName: string | undefined): boolean {
  return rootName !== undefined && 'rootName' in request && request.rootName === rootName;
}
