/** The keyboard of pages, as a browser has it. */
import { expect, test } from '@jest/globals';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import { aFullConsole } from './fixtures/full-console.ts';
import { describeInBrowser } from './fixtures/in-browser.ts';
import { aConsole, aControl, RUNNING } from './testing.ts';

const FOCUSED = 'document.activeElement?.name || document.activeElement?.textContent?.trim()';

describeInBrowser('keys', (open) => {
  test.each(['/', 'Control+k'])('search: %s', async (key) => {
    const { page } = await open(await aFullConsole());

    await page.keyboard.press(key);
    await page.keyboard.type('dns');
    await page.keyboard.press('Enter');
    await page.waitForURL(/search\?q=dns$/);

    expect(await page.locator('#main .merges a').first().textContent()).toBe('dns');
  });

  test('go through what a page lists, and stop at its ends', async () => {
    const { page } = await open(await aFullConsole());
    const pressed = async (key: string) => {
      await page.keyboard.press(key);
      return page.evaluate(FOCUSED);
    };

    const first = await pressed('j');
    const second = await pressed('j');

    expect(first).not.toBe(second);
    expect(await pressed('k')).toBe(first);
    expect(await pressed('k')).toBe(first);
  });

  test('lead to the answer that is asked for, and do not give it', async () => {
    const running = { ...RUNNING, ...aDeployment({ status: 'awaiting-review', plan: aPlan() }) };
    const { requests, asked } = aControl();
    const { url } = await aConsole({ isLocal: true, lane: { running }, progress: running.progress, requests });
    const { page } = await open(`${url}/deployments/${running.id}?lane=acme/infra/network`);

    await page.keyboard.press('c');

    expect(await page.evaluate(FOCUSED)).toBe('Confirm');
    expect(asked).toEqual([]);
  });

  test('are letters in a field, and nothing once they are turned off', async () => {
    const { page } = await open(`${await aFullConsole()}/lanes`);
    const search = page.getByRole('searchbox');

    await search.press('j');
    expect(await search.inputValue()).toBe('j');
    await page.getByRole('button', { name: 'Turn them off' }).click();
    await page.reload();
    await page.keyboard.press('/');

    expect(await page.evaluate(FOCUSED)).not.toBe('q');
    expect(await page.getByRole('button', { name: 'Turn them on' }).isVisible()).toBe(true);
  });
});
