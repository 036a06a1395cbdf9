/**
 * Every page in a browser, in both themes and at three widths: axe finds nothing, nothing is wider than the window, and the page
 * complains of nothing. With SCREENSHOTS_IN, a folder, each is also photographed (`make screenshots`), for a person to look at.
 */
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import axe from 'axe-core';
import { aFullConsole } from './fixtures/full-console.ts';
import { describeInBrowser } from './fixtures/in-browser.ts';
import { RUNNING } from './testing.ts';

const WIDTHS = [375, 768, 1_280];
const PAGES = {
  attention: '/',
  lanes: '/lanes',
  lane: '/lanes/acme/infra/network',
  'lane-then': '/lanes/acme/infra/network?at=2999-01-01T00:00:00Z',
  'lane-undeployed': '/lanes/acme/infra/dns',
  rollouts: '/rollouts',
  rollout: `/rollouts/acme/infra/${RUNNING.revision.sha}`,
  'rollout-plans': `/rollouts/acme/infra/${RUNNING.revision.sha}/plans`,
  'rollout-carried': `/rollouts/acme/infra/${'2'.repeat(40)}`,
  activity: '/activity',
  insights: '/insights?days=90',
  hosts: '/hosts',
  deployment: `/deployments/${RUNNING.id}?lane=acme%2Finfra%2Fnetwork`,
} as const;

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
