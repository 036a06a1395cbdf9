/** Buttons as a browser presses them. */
import { expect, test } from '@jest/globals';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../fixtures/in-browser.ts';
import { aConsole, aControl } from '../testing.ts';

const WAITING = aDeployment({ status: 'awaiting-review', plan: aPlan() });

/** A finger that was on its way to the button when the plan became another one. */
const PRESS_ON_CHANGE = `
  const form = document.querySelector('#act-confirm');
  const press = (_changes, observer) => {
    observer.disconnect();
    form.querySelector('button').click();
  };
  new MutationObserver(press).observe(form.elements.seen, { attributes: true, attributeFilter: ['value'] });
`;

describeInBrowser('a button in a browser', (open) => {
  async function openPage(control: ReturnType<typeof aControl>, script = true) {
    const lane = { running: WAITING };
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

    await console.becomes({ running: { ...WAITING, revision: { ...WAITING.revision, title: 'A newer title' } } });
    await page.getByText('A newer title').waitFor();

    await said(page, 'confirm').getByText('That was for another plan').waitFor();
  });

  test('of which the plan has changed a moment ago waits until it can be meant', async () => {
    const control = aControl();
    const { page, console } = await openPage(control);
    await page.evaluate(PRESS_ON_CHANGE);

    await console.becomes({ running: { ...WAITING, revision: { ...WAITING.revision, title: 'Another change' } } });
    await said(page, 'confirm').getByText('This has changed just now').waitFor();
    expect(control.asked).toEqual([]);
    while (control.asked.length === 0) await page.getByRole('button', { name: 'Confirm' }).click();

    await said(page, 'confirm').getByText('@alice unlocks network.').waitFor();
  });

  test('is pressed by keyboard alone, and is told apart by its name', async () => {
    const control = aControl();
    const { page } = await openPage(control);

    await page.getByRole('button', { name: 'Reject' }).focus();
    await page.keyboard.press('Enter');

    await said(page, 'reject').getByText('@alice').waitFor();
    expect(control.asked).toMatchObject([{ request: { action: 'reject' } }]);
  });

  test('a button asks for its action where no script runs, too', async () => {
    const control = aControl();
    const { page } = await openPage(control, false);

    await page.getByRole('button', { name: 'Cancel' }).click();

    await page.getByText('@alice unlocks network.').waitFor();
    expect(control.asked).toMatchObject([{ request: { action: 'cancel' } }]);
  });
});
