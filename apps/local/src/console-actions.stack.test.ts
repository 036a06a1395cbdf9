/** People act in the console, on real parts: what they press goes through control to lanes and hosts. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import { ActivityList } from '@nereid/api';
import { CHANGES } from './sample/changes.ts';
import { LOCAL_PERSON } from './sample/people.ts';
import { ensureSample, SAMPLE_NAME } from './sample/repository.ts';
import type { Stack } from './stack/stack.ts';
import { startTemporaryStack } from './stack/testing/temporary-stack.ts';
import { eventually } from './story/eventually.ts';
import { createScene, type Scene } from './story/scene.ts';
import { openWorkflows, type Workflows } from './story/workflows.ts';

let stack: Stack;
let workflows: Workflows;
let scene: Scene;
let sha: string;

beforeAll(async () => {
  stack = await startTemporaryStack({ restarts: 5 });
  workflows = await openWorkflows(stack);
  await ensureSample(stack.github);
  scene = createScene(stack, workflows);
  sha = await scene.merge(CHANGES.grow);
});

afterAll(async () => {
  await workflows[Symbol.asyncDispose]();
  await stack[Symbol.asyncDispose]();
});

/** The page of a deployment, as a browser has it: the check run shows a plan a moment before its workflow, and the page, knows it. */
async function openPage(id: string, root: string) {
  const lane = `${SAMPLE_NAME}/${root}`;
  let page = '';
  await eventually(`the page of ${root} has its plan`, async () => {
    page = await (await fetch(`${stack.urls.console}/deployments/${id}?lane=${lane}`)).text();
    return page.includes('name="seen"');
  });
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(page)?.[1] ?? '';
  return { page, lane, csrf: field('csrf'), seen: field('seen') };
}

interface Said {
  readonly id?: string;
  readonly sentence?: string;
  readonly detail?: string;
}

async function post(place: string, body: object, csrf: string, key?: string) {
  let answer = await fetch(`${stack.urls.console}/api/v1${place}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-csrf-token': csrf,
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
  });
  let said = (await answer.json()) as Said; // The API's.
  // The answer may take longer than a browser waits for it.
  while (answer.status === 202) {
    answer = await fetch(`${stack.urls.console}/api/v1/requests/${said.id ?? ''}`);
    said = (await answer.json()) as Said; // The API's.
  }
  return { status: answer.status, ...said };
}

test('a plan that is confirmed on its page is applied, and the audit trail names the person', async () => {
  const at = { root: 'network', sha } as const;
  const { externalId: id } = await scene.planned(at);
  const { lane, csrf, seen } = await openPage(id, 'network');

  const other = await post(`/deployments/${id}/confirm?lane=${lane}`, { seen: 'f'.repeat(64) }, csrf);
  const confirmed = await post(`/deployments/${id}/confirm?lane=${lane}`, { seen }, csrf, 'key-1');
  const again = await post(`/deployments/${id}/confirm?lane=${lane}`, { seen }, csrf, 'key-1');
  await scene.applied(at);

  expect(other).toMatchObject({ status: 409, detail: expect.stringContaining('that was for another plan') });
  expect(confirmed).toMatchObject({ status: 200, sentence: `@${LOCAL_PERSON} approved the plan of network.` });
  expect(again).toEqual(confirmed);
  await eventually('the audit events of the person', async () => {
    const trail = await stack.storage.auditTrail();
    const ours = trail.filter(
      (event) => event.deploymentId === id && 'action' in event && event.initiatingUser === LOCAL_PERSON,
    );
    return (
      ours
        .map(({ state }) => state)
        .sort()
        .join() === 'REFUSED,REVIEWED'
    );
  });
});

test('a plan that is rejected on its page can be asked for again there, and cancelled', async () => {
  const at = { root: 'database', sha } as const;
  const { externalId: id } = await scene.planned(at);
  const { lane, csrf, seen } = await openPage(id, 'database');

  const rejected = await post(`/deployments/${id}/reject?lane=${lane}`, { seen }, csrf);
  await scene.seen(at, 'rejected', ({ conclusion }) => conclusion === 'cancelled');
  const rerun = await post(`/deployments/${id}/rerun?lane=${lane}`, {}, csrf);
  const { externalId: next } = await scene.planned({ ...at, otherThan: id });
  const cancelled = await post(`/deployments/${next}/cancel?lane=${lane}`, {}, csrf);
  const ended = await scene.seen({ ...at, otherThan: id }, 'cancelled', ({ conclusion, output }) => {
    return conclusion === 'cancelled' && (output.title ?? '').startsWith('Cancelled');
  });

  expect([rejected, rerun, cancelled]).toMatchObject([{ status: 200 }, { status: 200 }, { status: 200 }]);
  expect(ended.output.title).toContain(LOCAL_PERSON);
});

test('a host that is drained on its page takes no work, which the waiting lane says, until it is resumed', async () => {
  const { id, csrf } = await openHost();
  const drained = await post(`/hosts/${id}/drain`, {}, csrf);
  await isOnHostsPage(`Draining: takes no more work (asked for by @${LOCAL_PERSON}`);

  const at = { root: 'dns', sha: await scene.merge(CHANGES.mail) } as const;
  await scene.seen(at, 'a wait for a host', ({ output }) =>
    `${output.title ?? ''} ${output.summary ?? ''}`.includes('1 host draining, and no other is running'),
  );
  const resumed = await post(`/hosts/${id}/resume`, {}, csrf);
  await scene.applied(at);

  expect([drained, resumed]).toMatchObject([{ status: 200 }, { status: 200 }]);
  await eventually('the drain is among the activities of the person', async () => {
    const answer = await fetch(`${stack.urls.console}/api/v1/activity?person=${LOCAL_PERSON}`);
    const { items } = ActivityList.parse(await answer.json());
    return items.some((event) =>
      isDeepStrictEqual([event.action, event.hostId, event.state], ['drain', id, 'REVIEWED']),
    );
  });
});

test('a stop of all repositories on its page holds back what is merged meanwhile, until a thaw there', async () => {
  const page = async () => (await fetch(`${stack.urls.console}/stops`)).text();
  const csrf = /name="csrf" value="([^"]+)"/.exec(await page())?.[1] ?? '';
  const stopped = await post('/pools/*/stop', { for: '1h', reason: 'an incident' }, csrf);

  const at = { root: 'dns', sha: await scene.merge(CHANGES.www) } as const;
  await scene.seen(at, 'a wait for the end of the stop', ({ output }) => {
    const said = `${output.title ?? ''} ${output.summary ?? ''}`;
    return said.includes(`Stopped for all repositories by ${LOCAL_PERSON} until`) && said.includes('an incident');
  });
  await eventually('the page says why', async () => /Stopped, ends.*an incident/s.test(await page()));
  const thawed = await post('/pools/*/thaw', {}, csrf);
  await scene.applied(at);

  expect([stopped, thawed]).toMatchObject([
    { status: 200, sentence: expect.stringMatching(/^@\S+ stopped all repositories until .* UTC; /) },
    { status: 200, sentence: expect.stringMatching(/^@\S+ ended the stops that cover all repositories: /) },
  ]);
});

/** The only host, with the word of its page. */
async function openHost() {
  const page = await hostsPage();
  const [id = '', csrf = ''] = [/id="host-([^"]+)"/, /name="csrf" value="([^"]+)"/].map(
    (field) => field.exec(page)?.[1],
  );
  return { id, csrf };
}

async function isOnHostsPage(text: string): Promise<void> {
  await eventually(text, async () =>
    (await hostsPage())
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/\s+/g, ' ')
      .includes(text),
  );
}

async function hostsPage(): Promise<string> {
  return (await fetch(`${stack.urls.console}/hosts`)).text();
}

test('while Temporal is away nothing is done, and the page says so', async () => {
  const { csrf } = await openPage((await scene.planned({ root: 'service', sha })).externalId, 'service');
  await stack.holdDown('temporal');

  const answer = await post(`/lanes/${SAMPLE_NAME}/network/unlock`, { deployment: 'd0' }, csrf);

  expect(answer).toMatchObject({ status: 503, detail: expect.stringContaining('nothing was done') });
  await stack.letUp('temporal');
});
