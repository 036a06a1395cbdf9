/** What people read on pages, as a browser shows it. */
import { expect, test } from '@jest/globals';
import { aFullConsole } from './fixtures/full-console.ts';
import { describeInBrowser } from './fixtures/in-browser.ts';
import { RUNNING } from './testing.ts';

const PLAN = `/deployments/${RUNNING.id}/plan?lane=acme%2Finfra%2Fnetwork`;

describeInBrowser('reading', (open) => {
  test('a link to a resource leads there, where it is unfolded, whatever the filter', async () => {
    const { page } = await open(`${await aFullConsole()}${PLAN}`);
    await page.getByRole('link', { name: 'Link to aws_s3_bucket_versioning.new' }).click();
    const at = new URL(page.url());
    at.searchParams.set('text', 'ami');

    await page.goto(at.href);

    const target = page.locator('.resource:target');
    expect(await target.locator('summary').textContent()).toContain('aws_s3_bucket_versioning.new');
    expect(await target.getByText('(known after apply)').isVisible()).toBe(true);
  });

  test('a time says its exact one in the zone of its reader', async () => {
    const { page } = await open(`${await aFullConsole()}/rollouts`, { timezoneId: 'Asia/Tokyo' });
    const time = page.locator('#main time').first();

    await page.waitForFunction("document.querySelector('#main time').textContent.includes('ago')");

    expect(await time.getAttribute('title')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (?:GMT\+9|JST)$/);
  });

  test('paper has what is folded, and no buttons', async () => {
    const { page } = await open(`${await aFullConsole()}${PLAN}`);
    const folded = page.locator('details:not([open]) pre').first();
    expect(await folded.isVisible()).toBe(false);

    await page.emulateMedia({ media: 'print' });

    expect(await folded.isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Confirm' }).isVisible()).toBe(false);
  });
});
