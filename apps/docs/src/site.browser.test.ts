/**
 * The built site in a browser, in both themes: axe finds nothing, nothing is wider than the window, nothing is fetched from
 * elsewhere, and search finds a page. With SCREENSHOTS_IN, a folder, five pages are photographed (`make screenshots`).
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser, findFaults } from '@nereid/console/in-browser';
import { runCommand } from '@nereid/subprocess';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import express from 'express';

const DOCS = path.dirname(import.meta.dirname);
const VITEPRESS = path.join(DOCS, '../../node_modules/vitepress/bin/vitepress.js');

const PAGES = {
  index: '/',
  'first-repository': '/start/first-repository',
  'how-it-works': '/concepts/how-it-works',
  'by-symptom': '/operate/by-symptom',
  'server-file': '/reference/server-file',
} as const;

/** A phone, and a window in which menu and contents stand beside the page. */
const WIDTHS = [375, 1_440];

/** In pixels; a line of code has 20 or so. */
const TWO_LINES = 35;

describeInBrowser('the site', (open) => {
  const folder = folderOfThisFile();
  let url: string;
  let server: Server;

  beforeAll(async () => {
    const argv = [process.execPath, VITEPRESS, 'build', '--outDir', folder] as const;
    const built = await runCommand({ argv, env: {}, cwd: DOCS, timeoutMs: 120_000 });
    expect(built).toMatchObject({ kind: 'exited', exitCode: 0 });
    server = express()
      .use(express.static(folder, { extensions: ['html'] }))
      .listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // It listens on a port.
  });
  afterAll(() => {
    server.close();
  });

  test.each(['light', 'dark'] as const)('can be read by everybody, in its %s theme', async (colorScheme) => {
    const opened = await open('about:blank', { colorScheme });
    const elsewhere: string[] = [];
    opened.page.on('request', (request) => {
      if (!/^(data:|blob:)/.test(request.url()) && !request.url().startsWith(url)) elsewhere.push(request.url());
    });
    const found: string[] = [];
    for (const [name, page] of Object.entries(PAGES)) {
      const about = {
        address: url + page,
        name: `docs-${name}`,
        theme: colorScheme,
        widths: WIDTHS,
        until: 'networkidle',
      } as const;
      found.push(...(await findFaults(opened.page, about)));
    }

    expect([...found, ...opened.complaints]).toEqual([]);
    expect(elsewhere).toEqual([]);
  });

  test.each([
    ['locked lane', 'A lane is locked'],
    ['outcome unknown', 'The outcome of an apply is unknown'],
    ['host does not come', 'No host is running'],
  ])('finds the answer to "%s" by its words', async (words, answer) => {
    const { page } = await open(url, { viewport: { width: 1_440, height: 900 } });
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.getByRole('searchbox').fill(words);

    await page.getByRole('option').first().filter({ hasText: answer }).waitFor();
  });

  test('gives the keys of a reference room: most of them stand on one line', async () => {
    const { page } = await open(`${url}/reference/server-file`, { viewport: { width: 1_440, height: 900 } });
    const keys = page.locator('td:first-child > code:only-child');

    const boxes = await Promise.all((await keys.all()).map((key) => key.boundingBox()));

    expect(boxes.length).toBeGreaterThan(50);
    const onOneLine = boxes.filter((box) => box !== null && box.height < TWO_LINES);
    expect(onOneLine.length).toBeGreaterThan(boxes.length * 0.8);
  });
});
