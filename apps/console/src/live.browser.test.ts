/** How pages follow what happens, as a browser runs them. */
import { expect, test } from '@jest/globals';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import { createHostRecords } from '@nereid/storage';
import type { Page } from 'playwright-core';
import { describeInBrowser } from './fixtures/in-browser.ts';
import { readEvents } from './platform/streams/testing.ts';
import { aConsole, aLaneRecord, JOB, REPOSITORY, RUNNING } from './testing.ts';

const REVIEW = { running: aDeployment({ status: 'awaiting-review', plan: aPlan() }) };
const LANE_PAGE = '/lanes/acme/infra/network';

const PRE = "document.querySelector('#log-plan pre')";

/** Longer than a page that nobody sees keeps its stream. */
const HIDDEN_FOR_MS = 31_000;

/** The end of a log has settled by then. */
const AFTER_TWO_FRAMES =
  'new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(then))))';

/**
 * `shifts()` says what has moved by itself since the page began, and by how much of the window. A word that is longer once it says
 * "2 hours ago" moves its neighbours by a hundredth; a tenth is what people notice.
 */
const WATCH_SHIFTS = `(() => {
  const found = [];
  const told = (entries) => {
    for (const { value, hadRecentInput, sources } of entries)
      if (!hadRecentInput && value > 0.03) found.push(value.toFixed(4) + sources.map(({ node }) => ' ' + (node?.outerHTML ?? node?.nodeName)).join(''));
  };
  const observer = new PerformanceObserver((list) => told(list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  globalThis.shifts = () => {
    told(observer.takeRecords());
    return found;
  };
})()`;

describeInBrowser('a page that is open', (open) => {
  test.each([
    ['attention', '/', 'Waiting for a review'],
    ['lanes', '/lanes', 'Waiting for a review'],
    ['one lane', LANE_PAGE, 'Waiting for a review'],
    ['rollouts', '/rollouts', '1 to review'],
    ['one rollout', `/rollouts/acme/infra/${RUNNING.revision.sha}`, 'Waiting for a review'],
  ])('shows what happens: %s', async (_name, path, shown) => {
    const { url, becomes } = await aConsole({ isLocal: true, lane: { running: RUNNING } });
    const { page, complaints } = await open(url + path);

    await becomes(REVIEW);

    await page.locator('#state').getByText(shown).first().waitFor();
    expect(complaints).toEqual([]);
  });

  test('shows what happens: hosts', async () => {
    const { url, store } = await aConsole({ isLocal: true });
    const { page } = await open(`${url}/hosts`);

    const slots = { total: 4, used: 4 };
    const at = new Date().toISOString();
    await createHostRecords(store).write({ version: 1, hostId: 'h1', at, slots, draining: false });

    await page.getByText('All slots taken').waitFor();
  });

  test('shows how a deployment ended in the history of its lane', async () => {
    const { url, becomes, records } = await aConsole({ isLocal: true, lane: { running: RUNNING } });
    const { page } = await open(url + LANE_PAGE);
    const deployment = aDeployment({ status: 'rejected', plan: aPlan() });

    await becomes({});
    await records.write({ version: 1, repository: REPOSITORY, deployment, endedAt: new Date().toISOString() });

    await page.locator('#state').getByText('Rejected').waitFor();
  });

  test('asks for nothing while nothing happens', async () => {
    const { url, lanes } = await aConsole({ isLocal: true, lane: { running: RUNNING } });
    const { page } = await open(`${url}/lanes`);
    await page.locator('main[data-fragment]').waitFor();
    await lanes.write(aLaneRecord({ rootName: 'database' }), null);
    await page.getByText('2 lanes').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));

    // The server looks hundreds of times meanwhile.
    await page.clock.install();
    await page.clock.runFor(3_600_000);
    const text = await page.evaluate<string>('document.body.textContent');

    expect(text).toContain('2 lanes');
    expect(asked.filter((address) => address.includes('/fragment')).length).toBeLessThanOrEqual(1);
  });

  test('says when the console is away, and is up to date when it is back', async () => {
    const { url, becomes, close, another } = await aConsole({ isLocal: true, lane: { running: RUNNING } });
    const { page } = await open(url + LANE_PAGE);
    await page.getByText('Planning').first().waitFor();

    await close();
    await page.getByText('The connection is lost').waitFor();
    await becomes(REVIEW);
    await another('instead');

    await page.locator('#state').getByText('Waiting for a review').first().waitFor();
    await page.getByText('The connection is lost').waitFor({ state: 'hidden' });
  });

  test('says what the server says when there is nothing to show any more, until there is', async () => {
    const { url, store, lanes } = await aConsole({ isLocal: true, lane: { running: RUNNING } });
    const { page } = await open(url + LANE_PAGE);
    await page.getByText('Planning').first().waitFor();

    await store.delete('lanes/acme/infra/network.json');
    await page.getByText('There is no such lane').waitFor();
    const isLost = await page.getByText('The connection is lost').isVisible();
    await lanes.write(aLaneRecord(REVIEW), null);

    await page.locator('#state').getByText('Waiting for a review').first().waitFor();
    await page.getByText('There is no such lane').waitFor({ state: 'hidden' });
    expect(isLost).toBe(false);
  });

  test('says when the person is logged out meanwhile, and how to go on', async () => {
    const { url, becomes } = await aConsole({ isLocal: true, lane: { running: RUNNING } });
    const { page } = await open(url + LANE_PAGE);
    await page.route('**/fragment*', (route) => route.fulfill({ status: 401 }));

    await becomes(REVIEW);

    expect(await page.getByRole('link', { name: 'Log in again' }).getAttribute('href')).toBe(url + LANE_PAGE);
  });

  test('goes on without a stream when the console has no more of them', async () => {
    const { url, becomes } = await aConsole({ isLocal: true, lane: { running: RUNNING }, streamsLimit: 0 });
    const { page } = await open(url + LANE_PAGE);

    await becomes(REVIEW);

    await page.locator('#state').getByText('Waiting for a review').first().waitFor();
    expect(await page.getByText('The connection is lost').isVisible()).toBe(false);
  });

  test('gives its stream back while nobody sees it, and catches up when it is seen again', async () => {
    const { url, becomes } = await aConsole({ isLocal: true, lane: { running: RUNNING }, streamsLimit: 1 });
    const { page } = await open(`${url}/hosts`);
    await page.clock.install();
    await page.goto(url + LANE_PAGE);
    await becomes(REVIEW);
    await page.getByText('Waiting for a review').first().waitFor();

    await beHidden(page, true);
    await page.clock.runFor(HIDDEN_FOR_MS);
    let other = await readEvents(`${url}/api/v1/events`);
    while (other.status === 503) other = await readEvents(`${url}/api/v1/events`);
    other.leave();
    await beHidden(page, false);
    await page.clock.resume();

    expect(other.status).toBe(200);
    await page.getByText('The connection is lost').waitFor({ state: 'hidden' });
  });
});

describeInBrowser('whatever changes around it', (open) => {
  test('nothing that somebody looks at jumps: not when a page is opened, and not when its lane goes on', async () => {
    const { url, becomes } = await aConsole({ isLocal: true, lane: { running: RUNNING } });
    const { page } = await open('about:blank');
    await page.addInitScript(WATCH_SHIFTS);
    await page.goto(url + LANE_PAGE);
    await page.locator('#state').getByText('Planning').first().waitFor();

    await becomes(REVIEW);
    await page.locator('#state').getByText('Waiting for a review').first().waitFor();
    await page.evaluate(AFTER_TWO_FRAMES);

    expect(await page.evaluate<readonly string[]>('shifts()')).toEqual([]);
  });

  test('what somebody reads, has selected and has focused stays where it is', async () => {
    const { url, lanes } = await aConsole({ isLocal: true, lane: { running: RUNNING } });
    for (const rootName of Array.from({ length: 40 }, (_, index) => `root-${index + 10}`))
      await lanes.write(aLaneRecord({ rootName }), null);
    const { page, complaints } = await open(`${url}/lanes`);
    const link = page.getByRole('link', { name: 'root-40' });
    await link.focus();
    await page.evaluate(`getSelection().selectAllChildren(document.activeElement)`);
    const before = await link.boundingBox();

    await lanes.write(aLaneRecord({ rootName: 'a-new-one' }), null);
    await page.getByText('a-new-one').waitFor({ state: 'attached' });

    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('root-40');
    expect(await page.evaluate<string>('getSelection().toString()')).toBe('root-40');
    const after = await link.boundingBox();
    // A pixel of a screen may be shared by two lines.
    expect(Math.abs((after?.y ?? 0) - (before?.y ?? Infinity))).toBeLessThan(1);
    expect(complaints).toEqual([]);
  });

  test('the focus never comes to another button than it was on', async () => {
    const { url } = await aConsole({ isLocal: true, lane: { running: RUNNING } });
    const { page } = await open(url + LANE_PAGE);

    // As a page that acts would have them.
    const focused = await page.evaluate<readonly string[]>(`(async () => {
      const { morph } = await import('/assets/morph.js');
      const withButtons = (...words) => {
        const element = document.createElement('div');
        for (const text of words) element.append(Object.assign(document.createElement('button'), { textContent: text }));
        return element;
      };
      const shown = withButtons('Confirm', 'Reject');
      document.body.append(shown);
      shown.lastChild.focus();
      const focused = [];
      for (const words of [['Unlock', 'Reject'], ['Unlock', 'Confirm']]) {
        morph(shown, withButtons(...words));
        focused.push(document.activeElement.textContent === 'Reject' ? 'Reject' : document.activeElement.localName);
      }
      return focused;
    })()`);

    expect(focused).toEqual(['Reject', 'body']);
  });
});

describeInBrowser('a log', (open) => {
  test('that is long opens at its end, and follows until somebody scrolls up', async () => {
    const { url, pathOf, logPathOf, logs } = await aConsole({
      lane: { running: aDeployment({ status: 'planning', jobs: { plan: JOB } }) },
    });
    const stored = async () => (await fetch(url + logPathOf('plan'))).text();
    const writer = logs.of(DEFAULT_POOL).writer(JOB.id, { mask: [], onError: () => undefined });
    const print = (from: number, to: number) =>
      writer.write(Buffer.from(Array.from({ length: to - from }, (_, index) => `line ${from + index}\n`).join('')));
    await print(0, 100_000);
    // A page that is opened before follows the log from its beginning.
    while (!(await stored()).includes('line 99999')) continue;
    const { page } = await open(url + pathOf(RUNNING.id));

    await page.getByText('are left out here').waitFor();
    await seen(page, 'line 99999');
    await print(100_000, 100_100);
    await seen(page, 'line 100099');
    await page.evaluate(AFTER_TWO_FRAMES);
    await page.evaluate(`${PRE}.scrollBy(0, -2000)`);
    await page.getByRole('button', { name: 'Follow' }).waitFor();
    const top = await page.evaluate<number>(`${PRE}.scrollTop`);
    await print(100_100, 100_200);
    await page.getByText('line 100199').waitFor({ state: 'attached' });
    const topThen = await page.evaluate<number>(`${PRE}.scrollTop`);
    await page.getByRole('button', { name: 'Follow' }).click();
    await seen(page, 'line 100199');
    await writer.end();
    await page.getByText('complete').waitFor();

    expect(topThen).toBe(top);
    expect(await page.evaluate<string>(`${PRE}.textContent`)).toMatch(
      /left out here; see the plain text\n(line \d+\n)+$/,
    );
  });

  test('that is printed faster than anybody reads is seen to its end', async () => {
    const { url, pathOf, writeLog } = await aConsole({
      lane: { running: aDeployment({ status: 'planning', jobs: { plan: JOB } }) },
    });
    const { page } = await open(url + pathOf(RUNNING.id));
    await page.locator('#log-plan').getByText('live').waitFor();

    await writeLog(Array.from({ length: 1_000_000 }, (_, index) => `line ${index}\n`).join(''));

    await seen(page, 'line 999999');
  });
});

/** Waits until the end of the log is in sight, and has this line. */
async function seen(page: Page, line: string): Promise<void> {
  const isSeen = `(() => {
    const pre = ${PRE};
    const isAtEnd = pre.scrollHeight - pre.scrollTop - pre.clientHeight < 24;
    return isAtEnd && pre.textContent.trimEnd().endsWith(${JSON.stringify(line)});
  })()`;
  while (!(await page.evaluate<boolean>(isSeen)));
}

/** Pages of a browser without a window are always seen, so the page is told otherwise. */
async function beHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`(() => {
    Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  })()`);
}
