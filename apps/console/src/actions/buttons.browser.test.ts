/** Buttons as a browser presses them. */
import { expect, test } from '@jest/globals';
import { aDeployment, aPlan } from '@nereid/github/testing';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../fixtures/in-browser.ts';
import { aConsole, aControl, laneWith } from '../testing.ts';

const WAITING = aDeployment({ status: 'awaiting-review', plan: aPlan() });

describeInBrowser('a button in a browser', (open) => {
  async function openPage(control: ReturnType<typeof aControl>, script = true) {
    const lane = laneWith(WAITING);
    const findLane = { kind: 'found', value: { owner: 'acme', name: 'infra', rootName: 'network' } } as const;
    const progress = WAITING.progress;
    const console = await aConsole({ isLocal: true, lane, progress, findLane, requests: control.requests });
    const address = `${console.url}/deployments/${WAITING.id}?lane=acme/infra/network`;
    const { page } = await open(address, { javaScriptEnabled: script });
    return { page, console };
  }

  const said = (page: Page, id: string) => page.locator(`#act-${id} .said`);

  test('shows beside it what came of it', async () => {
    const control = aControl();
    const { page } = await openPage(control);

    await page.getByRole('button', { name: 'Confirm' }).click();

    await said(page, 'confirm').getByText('@alice unlocks network.').waitFor();
    expect(control.asked).toMatchObject([{ request: { action: 'confirm' } }]);
  });

  test('that is refused says why, also after the page has updated itself', async () => {
    const sentence = 'that was for another plan: look at the plan shown here';
    const { page, console } = await openPage(aControl({ result: { kind: 'refused', sentence, workflows: [] } }));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await said(page, 'confirm').getByText('That was for another plan').waitFor();

    await console.becomes(laneWith({ ...WAITING, revision: { ...WAITING.revision, title: 'A newer title' } }));
    await page.getByText('A newer title').waitFor();

    await said(page, 'confirm').getByText('That was for another plan').waitFor();
  });

  test('is pressed by keyboard alone, and is told apart by its name', async () => {
    const control = aControl();
    const { page } = await openPage(control);

    await page.getByRole('button', { name: 'Reject' }).focus();
    await page.keyboard.press('Enter');

    await said(page, 'reject').getByText('@alice').waitFor();
    expect(control.asked).toMatchObject([{ request: { action: 'reject' } }]);
  });

  test('works where no script runs', async () => {
    const control = aControl();
    const { page } = await openPage(control, false);

    await page.getByRole('button', { name: 'Cancel' }).click();

    await page.getByText('@alice unlocks network.').waitFor();
    expect(control.asked).toMatchObject([{ request: { action: 'cancel' } }]);
  });
});
