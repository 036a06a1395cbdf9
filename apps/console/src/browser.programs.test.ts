/** Pages of one deployment and of one pull request, as a browser runs them. */
import { expect, test } from '@jest/globals';
import { aDeployment, aPlan, withMade } from '@nereid/domain/testing';
import { describeInBrowser } from './fixtures/in-browser.ts';
import { aConsole, JOB, REPOSITORY, RUNNING } from './testing.ts';

describeInBrowser('in a browser', (open) => {
  test('a page updates by itself, and a log that begins appears', async () => {
    const lane = { running: aDeployment({ status: 'queued' }) };
    const { url, pathOf, writeLog, becomes } = await aConsole({ lane });
    await writeLog('\u001b[31mdestroyed\u001b[0m </script><script>document.title = "owned"</script>\n');
    const { page, complaints } = await open(url + pathOf(RUNNING.id));

    await becomes({ running: aDeployment({ status: 'awaiting-review', plan: aPlan(), jobs: { plan: JOB } }) });
    await page.getByText('Waiting for a review, here or in').waitFor();
    await page.locator('#log-plan pre .fg-1').waitFor();

    expect(await page.locator('#log-plan pre').textContent()).toContain('</script><script>');
    expect(await page.title()).toBe('network · acme/infra · Nereid');
    expect(complaints).toEqual([]);
  });

  test('nothing is wider than a phone', async () => {
    const plan = aPlan();
    const resources = [{ address: `module.${'x'.repeat(180)}`, action: 'create' as const }];
    const deployment = aDeployment({
      status: 'apply-failed',
      plan: withMade(plan, { summary: { ...plan.made.body.summary, resources } }),
      failure: { body: { summary: 'E'.repeat(200), lines: ['e'.repeat(500)] } },
    });
    const { url, pathOf } = await aConsole({ lane: { running: deployment } });
    const { page } = await open(url + pathOf(RUNNING.id));

    const width = await page.evaluate<number>('document.documentElement.scrollWidth');

    expect(width).toBe(375);
  });

  test('the plans of a pull request update by themselves, and what is folded stays so', async () => {
    const { url, pullRequests, pullPathOf } = await aConsole({ progress: RUNNING.progress });
    const deployment = { ...RUNNING, root: { ...RUNNING.root, name: `network-${'x'.repeat(80)}` } };
    const rootName = deployment.root.name;
    const look = { isOpen: true, headSha: 'a'.repeat(40), baseBranch: 'main', at: deployment.receivedAt };
    const previews = [
      { rootName: 'dns', deploymentId: 'dns' },
      { rootName, deploymentId: deployment.id },
    ];
    const dns = { ...aDeployment({ status: 'planned', plan: aPlan() }), id: 'dns' };
    await pullRequests.writePreview({
      ...{ version: 1, repository: REPOSITORY, endedAt: dns.receivedAt },
      deployment: { ...dns, root: { ...dns.root, name: 'dns' } },
    });
    await pullRequests.writePreview({ version: 1, repository: REPOSITORY, deployment });
    await pullRequests.change(REPOSITORY, { number: 12 }, () => {
      return { version: 1, repository: REPOSITORY, number: 12, checkRuns: [], look: { ...look, previews } };
    });
    const { page, complaints } = await open(url + pullPathOf(12));
    await page.getByText('Planning 1 of 2 roots').waitFor();
    await page.locator('#plan-dns > summary').click();

    const failure = { body: { summary: 'E'.repeat(200), lines: ['e'.repeat(500)] } };
    const failed = { ...deployment, progress: { ...deployment.progress, status: 'plan-failed', failure } } as const;
    await pullRequests.writePreview({
      ...{ version: 1, repository: REPOSITORY, endedAt: look.at },
      deployment: failed,
    });
    await page.getByText('1 of 2 roots could not be planned').waitFor();

    expect(await page.locator('#plan-dns').getAttribute('open')).toBeNull();
    expect(await page.evaluate<string>('document.activeElement.parentElement.id')).toBe('plan-dns');
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(375);
    expect(complaints).toEqual([]);
  });
});
