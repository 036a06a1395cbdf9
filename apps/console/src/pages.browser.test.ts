/**
 * Every page in a browser, in both themes and at three widths: axe finds nothing, nothing is wider than the window, and the page
 * complains of nothing. With SCREENSHOTS_IN, a folder, each is also photographed (`make screenshots`), for a person to look at.
 */
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { aDeployment, aLock, aPlan } from '@nereid/github/testing';
import { createHostRecords } from '@nereid/storage';
import axe from 'axe-core';
import { describeInBrowser } from './in-browser.ts';
import { aConsole, aControl, JOB, laneWith, REPOSITORY, RUNNING } from './testing.ts';

const WIDTHS = [375, 768, 1_280];
const PAGES = {
  attention: '/',
  lanes: '/lanes',
  lane: '/lanes/acme/infra/network?at=2026-02-02T00:00:00Z',
  rollouts: '/rollouts',
  rollout: `/rollouts/acme/infra/${RUNNING.revision.sha}`,
  activity: '/activity',
  insights: '/insights?days=90',
  hosts: '/hosts',
  deployment: `/deployments/${RUNNING.id}?lane=acme%2Finfra%2Fnetwork`,
} as const;

/** A lane with a review, a queue and a past, another one that is locked, and a host that is away. */
async function aFullConsole() {
  const progress = { ...aDeployment({ status: 'awaiting-review', plan: aPlan(), jobs: { plan: JOB } }).progress };
  const running = { ...RUNNING, progress };
  const queued = { ...aDeployment({ status: 'queued' }), id: 'queued' };
  const statuses = new Map([[RUNNING.id, 'awaiting-review' as const]]);
  const { requests } = aControl();
  const lane = laneWith(running, [queued]);
  const console = await aConsole({ isLocal: true, lane, live: lane, statuses, progress, requests });
  const { lanes, records, store, url, writeLog } = console;
  const locked = { ...REPOSITORY, rootName: 'database' };
  const seen = { requestIds: [], merges: [] };
  const writer = { runId: 'run', sequence: 1 };
  await lanes.write(
    {
      version: 1,
      repository: REPOSITORY,
      rootName: locked.rootName,
      manual: [],
      merged: [],
      seen,
      writer,
      lock: aLock(),
    },
    null,
  );
  for (const [index, status] of (['succeeded', 'apply-failed', 'rejected'] as const).entries()) {
    const endedAt = new Date(Date.now() - index * 3_600_000).toISOString();
    const ended = { ...aDeployment({ status, plan: aPlan() }), id: `ended-${index}` };
    await records.write({ version: 1, repository: REPOSITORY, deployment: ended, endedAt });
  }
  const at = '2026-02-01T10:00:00.000Z';
  await createHostRecords(store).write({ version: 1, hostId: 'h1', slots: { total: 4, used: 1 }, draining: false, at });
  await writeLog('\u001b[31mdestroyed\u001b[0m\n');
  return url;
}

describeInBrowser('every page', (open) => {
  test.each(['light', 'dark'] as const)('for everybody, %s', async (colorScheme) => {
    const url = await aFullConsole();
    const found: string[] = [];
    for (const [name, path] of Object.entries(PAGES)) {
      for (const width of WIDTHS) {
        // The policy of the pages would keep axe out as well.
        const viewport = { width, height: 900 };
        const { page, complaints } = await open(url + path, { viewport, colorScheme, bypassCSP: true });
        const where = `${name}, ${width}`;
        const folder = process.env['SCREENSHOTS_IN'];
        if (folder !== undefined)
          await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
        const scrollWidth = await page.evaluate<number>('document.documentElement.scrollWidth');
        if (scrollWidth > width) found.push(`${where}: ${scrollWidth} wide`);
        await page.addScriptTag({ content: axe.source });
        const violations = await page.evaluate<readonly Violation[]>('axe.run().then((result) => result.violations)');
        found.push(...violations.map(({ id, nodes }) => `${where}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`));
        found.push(...complaints.map((complaint) => `${where}: ${complaint}`));
        await page.close();
      }
    }

    expect(found).toEqual([]);
  });
});

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}
