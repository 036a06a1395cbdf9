import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ActivityList, HostList, Insights, LaneList, RolloutList } from '@nereid/api';
import { hashOfToken, type ApiToken } from '@nereid/config';
import { aDeployment, anApplyAudit } from '@nereid/domain/testing';
import { createAuditTrail, createHostRecords } from '@nereid/storage';
import { lettingIn, TOKEN, type StagedLogin } from '../login/testing.ts';
import { readEvents } from '../platform/streams/testing.ts';
import { aConsole, aControl, aLaneRecord, RUNNING } from '../testing.ts';
import { AccessUnknownError } from './access-unknown.ts';
import type { AskAccess } from './repository-access.ts';

const NOW = new Date().toISOString();
const SHA = RUNNING.revision.sha;
const SECRET_ID = '00000000-0d4b-4e7a-9c55-1f0e6b7a2d90';
const LISTS = ['lanes', 'attention', 'rollouts', 'activity', 'insights'];

const ENTRY: ApiToken = {
  name: 'ci',
  sha256: hashOfToken(TOKEN),
  login: 'robot',
  scopes: ['read'],
  repositories: ['*/*'],
  expires: '2999-01-01T00:00:00.000Z',
};

/** The login of the token sees `acme/infra` alone; its entry is for all. */
let askAccess: AskAccess;
beforeEach(() => {
  askAccess = lettingIn(({ name }) => name === 'infra');
});

/** A lane, a rollout, an ended deployment and an event of each of two repositories. */
async function withTwoRepositories() {
  const console = await aConsole({ login: { policy: undefined, askAccess, tokens: [ENTRY] } });
  for (const name of ['infra', 'secret']) {
    const repository = { owner: 'acme', name, installationId: 1 };
    const running = { ...aDeployment({ status: 'planning' }), id: name === 'secret' ? SECRET_ID : RUNNING.id };
    await console.lanes.write({ ...aLaneRecord({ running }), repository }, null);
    const deployment = { ...aDeployment({ status: 'succeeded' }), id: `ended-${name}` };
    await console.records.write({ version: 1, repository, deployment, endedAt: NOW });
    await createAuditTrail(console.store).append(
      NOW,
      `j-${name}`,
      anApplyAudit({ repository: `acme/${name}`, startedAt: NOW }),
    );
  }
  const ask = (path: string) => console.get(path, { authorization: `Bearer ${TOKEN}` });
  return { ...console, ask };
}

describe('a repository that somebody may not see', () => {
  test('is in no list, no count and no sum', async () => {
    const { ask } = await withTwoRepositories();
    const read = async <T>(path: string) => (await (await ask(`/api/v1/${path}`)).json()) as T; // The API's own tests check it.

    expect((await read<LaneList>('lanes')).counts).toEqual({ planning: 1 });
    expect((await read<RolloutList>('rollouts')).items).toHaveLength(1);
    expect((await read<ActivityList>('activity')).items).toHaveLength(1);
    expect((await read<Insights>('insights')).busiest).toEqual([
      { repository: 'acme/infra', rootName: 'network', deployments: 1, failed: 0 },
    ]);
    for (const path of [...LISTS, 'insights?repository=acme/secret', 'lanes?repository=acme/secret'])
      expect([path, JSON.stringify(await read(path)).replaceAll(/"repository":"acme\/secret"/g, '')]).toEqual([
        path,
        expect.not.stringMatching(/ended-secret|j-secret|acme\/secret/),
      ]);
  });

  test('is on no page, in no filter and in no export', async () => {
    const { ask } = await withTwoRepositories();

    for (const path of ['/', '/lanes', '/rollouts', '/activity', '/insights', '/activity.csv', '/activity.jsonl'])
      expect([path, await (await ask(path)).text()]).toEqual([path, expect.not.stringContaining('secret')]);
  });

  test('is not named by a host that works for it', async () => {
    const { ask, store } = await withTwoRepositories();
    const slots = { slots: { total: 4, used: 2 }, runs: [RUNNING.id, SECRET_ID] };
    await createHostRecords(store).write({ version: 1, hostId: 'h1', ...slots, draining: false, at: NOW });

    const { items } = (await (await ask('/api/v1/hosts')).json()) as HostList; // The API's own tests check it.
    const page = await (await ask('/hosts')).text();

    expect(items).toMatchObject([{ runs: [{ id: RUNNING.id, repository: 'acme/infra', rootName: 'network' }] }]);
    expect(page).toContain(`<a href="deployments/${RUNNING.id}?lane=acme%2Finfra%2Fnetwork">network</a> of acme/infra`);
    expect(page).toContain('<li>1 more</li>');
    expect(page).not.toContain(SECRET_ID);
  });

  test.each([
    '/lanes/acme/secret/network',
    `/rollouts/acme/secret/${SHA}`,
    `/rollouts/acme/secret/${SHA}/plans`,
    `/deployments/${SECRET_ID}?lane=acme/secret/network`,
    `/deployments/${SECRET_ID}/logs/plan?lane=acme/secret/network`,
    '/pulls/acme/secret/1',
    `/api/v1/events?deployment=${SECRET_ID}&lane=acme/secret/network`,
  ])('cannot be told from one that never was: %s', async (path) => {
    const { ask } = await withTwoRepositories();

    const [hidden, absent] = [await ask(path), await ask(path.replaceAll('secret', 'nowhere'))];

    expect([hidden.status, absent.status]).toEqual([404, 404]);
    expect(await hidden.text()).toBe(await absent.text());
  });
});

test.each<[string, AskAccess, RegExp | undefined]>([
  ['is shown to people who were let into its repository', lettingIn(() => true), /the bucket is away/],
  ['is hidden from people who see what everybody sees', seenByEverybody, undefined],
])('why the workflow of a deployment tries again %s', async (_what, asking, shown) => {
  const login = { policy: undefined, askAccess: asking, tokens: [ENTRY] };
  const pending = [{ activity: 'plan', attempt: 3, isRunning: true, lastFailure: 'the bucket is away' }];
  const running = { ...RUNNING, progress: aDeployment({ status: 'planning' }).progress };
  const { get, pathOf } = await aConsole({ login, lane: { running }, pending });
  const headers = { authorization: `Bearer ${TOKEN}` };
  const path = `/deployments/${RUNNING.id}`;
  const ofLane = (of: string) => `${of}?lane=acme/infra/network`;

  // The last one is a link with a key, as a check run has it.
  for (const each of [ofLane(path), ofLane(`${path}/fragment`), ofLane(`/api/v1${path}`), pathOf(RUNNING.id)]) {
    const answer = await get(each, headers);
    const about = expect.stringMatching(shown ?? /^((?!the bucket is away)[^])*$/);
    expect([each, answer.status, await answer.text()]).toEqual([each, 200, about]);
  }
});

function seenByEverybody(_who: unknown, asked: readonly unknown[]): ReturnType<AskAccess> {
  return Promise.resolve(asked.map(() => ({ sees: 'as-everybody' })));
}

test.each(LISTS)('while nobody can say what somebody may see, nothing is shown, and that is said: %s', async (list) => {
  askAccess = () => Promise.reject(new AccessUnknownError('the workers or GitHub do not answer', 10));
  const { ask } = await withTwoRepositories();

  const answer = await ask(`/api/v1/${list}`);

  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10']);
  expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('which repositories you may see') });
});

describe('hosts, and what is about the installation as a whole', () => {
  const DRAIN = { version: 1, id: 'h:REFUSED', state: 'REFUSED', action: 'drain', hostId: 'host-1' } as const;
  const FORGED = { version: 1, id: 'x:FORGED', state: 'FORGED', forged: 'go', about: 'd1', at: NOW } as const;
  const SCRIPT: ApiToken = { ...ENTRY, scopes: ['read', 'hosts'] };

  async function withHosts(more: Partial<StagedLogin> = {}) {
    const control = aControl();
    const login = { policy: undefined, askAccess, tokens: [SCRIPT], operators: ['ada'], ...more };
    const console = await aConsole({ login, requests: control.requests });
    await console.lanes.write(aLaneRecord({ running: RUNNING }), null);
    const record = { version: 1, hostId: 'host-1', slots: { total: 4, used: 0 }, draining: false } as const;
    await createHostRecords(console.store).write({ ...record, at: '2026-01-31T14:00:00.000Z' });
    const trail = createAuditTrail(console.store);
    await trail.append(NOW, FORGED.id, { ...FORGED, sentence: 'somebody posed as control' });
    const by = { initiatingUser: 'bob', pressedAt: NOW, workflowId: 'request/r', sentence: 'ask ada' };
    await trail.append(NOW, DRAIN.id, { ...DRAIN, ...by });
    const headers = { authorization: `Bearer ${TOKEN}` };
    const ask = (path: string) => console.get(path, headers);
    const drain = (id: string) => fetch(`${console.url}/api/v1/hosts/${id}/drain`, { method: 'POST', headers });
    return { ...console, ask, drain, asked: control.asked };
  }

  const ABOUT = /host-1|posed as control|@ada/;
  const PAGES = ['/', '/activity', '/activity.csv', '/api/v1/attention', '/api/v1/activity'];

  test.each<[string, AskAccess]>([
    ['whom GitHub lets into no repository of the fleet', lettingIn(() => false)],
    ['who see only what everybody sees', seenByEverybody],
  ])('are not there for people %s', async (_whom, asking) => {
    askAccess = asking;
    const { ask, drain, asked } = await withHosts();

    for (const path of PAGES)
      expect([path, await (await ask(path)).text()]).toEqual([path, expect.not.stringMatching(ABOUT)]);
    for (const path of ['/hosts', '/hosts/fragment', '/api/v1/hosts']) {
      const [hidden, never] = [await ask(path), await ask(path.replace('hosts', 'never-was'))];
      expect([path, hidden.status, await hidden.text()]).toEqual([path, 404, await never.text()]);
    }
    const [host, none] = [await drain('host-1'), await drain('host-2')];
    expect([host.status, await host.text()]).toEqual([404, await none.text()]);
    expect(asked).toEqual([]);
  });

  test('are there for people who were let into one, who are told who may drain, and no request is made', async () => {
    const { ask, drain, asked } = await withHosts();

    for (const path of [...PAGES, '/hosts', '/api/v1/hosts'])
      expect([path, await (await ask(path)).text()]).toEqual([path, expect.stringMatching(ABOUT)]);
    for (const path of ['/doctor', '/api/v1/doctor', '/notifications', '/api/v1/notifications'])
      expect((await ask(path)).status).toBe(404);
    const refused = await drain('host-1');
    expect([refused.status, await refused.json()]).toEqual([
      403,
      expect.objectContaining({ detail: '@robot may not drain hosts: ask @ada.' }),
    ]);
    expect(asked).toEqual([]);
  });

  test('are there for operators, whose request control judges', async () => {
    askAccess = lettingIn(() => false);
    const { ask, drain, asked } = await withHosts({ operators: ['Robot'] });

    for (const path of ['/api/v1/hosts', '/doctor', '/api/v1/doctor', '/notifications', '/api/v1/notifications'])
      expect((await ask(path)).status).toBe(200);
    expect((await drain('host-1')).status).toBe(200);
    expect(asked).toMatchObject([{ request: { action: 'drain', hostId: 'host-1' } }]);
  });

  test('nobody but operators is told how an installation begins', async () => {
    askAccess = lettingIn(() => false);
    const [others, operators] = [await withHosts(), await withHosts({ operators: ['robot'] })];

    expect(await (await others.ask('/')).text()).not.toContain('Begin here');
    expect(await (await operators.ask('/')).text()).toContain('Begin here');
  });

  test('are not drained by a token for some repositories, although its login is an operator', async () => {
    const tokens = [{ ...SCRIPT, repositories: ['acme/*'] }];
    const { drain, asked } = await withHosts({ operators: ['robot'], tokens });

    const refused = await drain('host-1');

    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining('for some repositories only'),
    ]);
    expect(asked).toEqual([]);
  });

  test('change unheard by others', async () => {
    askAccess = lettingIn(() => false);
    const { url, store } = await withHosts();
    const events = await readEvents(`${url}/api/v1/events`, { authorization: `Bearer ${TOKEN}` });
    expect(await events.next()).toMatchObject({ event: 'reset' });

    await createHostRecords(store).remove('host-1');
    store.listStamped = () => {
      throw new Error('away');
    };

    expect(await events.next()).toMatchObject({ event: 'unavailable' });
  });
});
