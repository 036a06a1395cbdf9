/** Tests of pages in a browser: left out where there is no Chromium, but for CI, which installs it. */
import { existsSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe } from '@jest/globals';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/** A browser starts within seconds and shows a page at once; only what hangs takes minutes. */
const DEADLINE_MS = 120_000;

const isLeftOut = !existsSync(CHROMIUM) && process.env['CI'] !== 'true';
if (isLeftOut) process.stderr.write(`There is no ${CHROMIUM}: the tests of pages in a browser are left out.\n`);

export interface OpenPage {
  readonly page: Page;
  /** Errors of the page, refusals of its policy among them. */
  readonly complaints: readonly string[];
}

export type OpenInBrowser = (address: string, options?: BrowserContextOptions) => Promise<OpenPage>;

/** By default, the window is that of a phone. */
export function describeInBrowser(title: string, tests: (open: OpenInBrowser) => void): void {
  (isLeftOut ? describe.skip : describe)(title, () => {
    let browser: Browser;
    const pages: Page[] = [];
    beforeAll(async () => {
      const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
      browser = await chromium.launch({ executablePath: CHROMIUM, args, timeout: DEADLINE_MS });
    });
    afterEach(async () => {
      for (const page of pages.splice(0)) await page.close();
    });
    afterAll(() => browser.close());

    tests(async (address, options = {}) => {
      const page = await browser.newPage({ viewport: { width: 375, height: 800 }, ...options });
      pages.push(page);
      page.setDefaultTimeout(DEADLINE_MS);
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => complaints.push(message.text()));
      await page.goto(address);
      return { page, complaints };
    });
  });
}
