/**
 * Every page in a browser, in both themes and at three widths: axe finds nothing, nothing is wider than the window, and the page
 * complains of nothing. With SCREENSHOTS_IN, a folder, each is also photographed (`make screenshots`), for a person to look at.
 */
import { expect, test } from '@jest/globals';
import { aFullConsole, endedId } from './fixtures/full-console.ts';
import { aStoppedConsole } from './fixtures/stopped-console.ts';
import { describeInBrowser, findFaults, type OpenPage } from './fixtures/in-browser.ts';
import { aConsole, RUNNING } from './testing.ts';

/** The narrowest first: there, most is hidden or moved. */
const WIDTHS = [375, 768, 1_280];

const LANE = 'lane=acme%2Finfra%2Fnetwork';
const PAGES = {
  attention: '/',
  lanes: '/lanes',
  search: '/search?q=network',
  lane: '/lanes/acme/infra/network',
  'lane-then': '/lanes/acme/infra/network?at=2999-01-01T00:00:00Z',
  'lane-undeployed': '/lanes/acme/infra/dns',
  rollouts: '/rollouts',
  rollout: `/rollouts/acme/infra/${RUNNING.revision.sha}`,
  'rollout-plans': `/rollouts/acme/infra/${RUNNING.revision.sha}/plans`,
  'rollout-carried': `/rollouts/acme/infra/${'2'.repeat(40)}`,
  activity: '/activity',
  'activity-of-days': '/activity?from=2026-11-01&to=2026-11-02',
  insights: '/insights?days=90',
  hosts: '/hosts',
  notifications: '/notifications',
  api: '/api',
  deployment: `/deployments/${RUNNING.id}?${LANE}`,
  plan: `/deployments/${RUNNING.id}/plan?${LANE}`,
  'plan-filtered': `/deployments/${RUNNING.id}/plan?${LANE}&text=ami`,
  'plan-split': `/deployments/${RUNNING.id}/plan?${LANE}&view=split`,
  'plan-at': `/deployments/${RUNNING.id}/plan?${LANE}&text=ami&at=aws_s3_bucket.new#plan-aws_s3_bucket.new`,
  'plans-compared-split': `/deployments/${RUNNING.id}/compare/${endedId(3)}?${LANE}&view=split`,
  'plans-compared': `/deployments/${RUNNING.id}/compare/${endedId(3)}?${LANE}`,
  'deployment-ended': `/deployments/${endedId(0)}?${LANE}`,
  'deployment-failed': `/deployments/${endedId(2)}?${LANE}`,
  pull: '/pulls/acme/infra/12',
  'login-here': '/login',
  refusal: '/lanes/acme/infra/nothing',
} as const;

/** Of a deployment that waits at a stop. */
const STOPPED_PAGES = {
  stops: '/stops',
  'attention-stopped': '/',
  'lane-stopped': '/lanes/acme/infra/network',
  'deployment-stopped': `/deployments/${RUNNING.id}?${LANE}`,
} as const;

/** For people who are not logged in. */
const STRANGERS_PAGES = { login: '/login', keyless: `/deployments/${RUNNING.id}?${LANE}` } as const;

describeInBrowser('every page', (open) => {
  test.each(['light', 'dark'] as const)('every page can be read by everybody, in its %s theme', async (colorScheme) => {
    const [url, stopped, stranger] = [await aFullConsole(), await aStoppedConsole(), await aConsole()];
    // The policy of the pages would keep axe out as well.
    const opened = await open('about:blank', { colorScheme, bypassCSP: true });
    const found: string[] = [];
    for (const [name, path] of Object.entries(PAGES))
      found.push(...(await faultsOf(opened, url + path, name, colorScheme)));
    for (const [name, path] of Object.entries(STOPPED_PAGES))
      found.push(...(await faultsOf(opened, stopped + path, name, colorScheme)));
    for (const [name, path] of Object.entries(STRANGERS_PAGES))
      found.push(...(await faultsOf(opened, stranger.url + path, name, colorScheme)));

    expect(found).toEqual([]);
  });
});

async function faultsOf(
  { page, complaints }: OpenPage,
  address: string,
  name: string,
  theme: string,
): Promise<string[]> {
  const complainedBefore = complaints.length;
  const faults = await findFaults(page, { address, name, theme, widths: WIDTHS, until: 'load' });
  const complained = complaints.slice(complainedBefore).filter((complaint) => !complaint.includes(REFUSED));
  return [...faults, ...complained.map((complaint) => `${name}: ${complaint}`)];
}

/** What a browser says of a page that is a refusal. */
const REFUSED = 'the server responded with a status of 404';
