/**
 * Every page in a browser, in both themes and at three widths: axe finds nothing, nothing is wider than the window, and the page
 * complains of nothing. With SCREENSHOTS_IN, a folder, each is also photographed (`make screenshots`), for a person to look at.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import axe from 'axe-core';
import { chromium, type Browser } from 'playwright-core';
import { aFullConsole } from './full-console.ts';
import { RUNNING } from './testing.ts';

const CHROMIUM = '/usr/bin/chromium';
const DEADLINE_MS = 120_000;

const isLeftOut = !existsSync(CHROMIUM) && process.env['CI'] !== 'true';
const describeInBrowser = isLeftOut ? describe.skip : describe;

const WIDTHS = [375, 768, 1_280];
const PAGES = {
  attention: '/',
  lanes: '/lanes',
  lane: '/lanes/acme/infra/network',
  'lane-then': '/lanes/acme/infra/network?at=2999-01-01T00:00:00Z',
  'lane-undeployed': '/lanes/acme/infra/dns',
  rollouts: '/rollouts',
  rollout: `/rollouts/acme/infra/${RUNNING.revision.sha}`,
  'rollout-carried': `/rollouts/acme/infra/${'2'.repeat(40)}`,
  activity: '/activity',
  insights: '/insights?days=90',
  hosts: '/hosts',
  deployment: `/deployments/${RUNNING.id}?lane=acme%2Finfra%2Fnetwork`,
} as const;

describeInBrowser('every page', () => {
  let browser: Browser;
  beforeAll(async () => {
    const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
    browser = await chromium.launch({ executablePath: CHROMIUM, args, timeout: DEADLINE_MS });
  });
  afterAll(() => browser.close());

  test.each(['light', 'dark'] as const)('for everybody, %s', async (colorScheme) => {
    const url = await aFullConsole();
    const found: string[] = [];
    for (const [name, path] of Object.entries(PAGES)) {
      for (const width of WIDTHS) {
        // The policy of the pages would keep axe out as well.
        const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
        page.setDefaultTimeout(DEADLINE_MS);
        const where = `${name}, ${width}`;
        page.on('pageerror', (error) => found.push(`${where}: ${error.message}`));
        await page.goto(url + path);
        const folder = process.env['SCREENSHOTS_IN'];
        if (folder !== undefined)
          await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
        const scrollWidth = await page.evaluate<number>('document.documentElement.scrollWidth');
        if (scrollWidth > width) found.push(`${where}: ${scrollWidth} wide`);
        await page.addScriptTag({ content: axe.source });
        const violations = await page.evaluate<readonly Violation[]>('axe.run().then((result) => result.violations)');
        found.push(...violations.map(({ id, nodes }) => `${where}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`));
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
