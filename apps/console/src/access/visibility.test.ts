import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ActivityList, Insights, LaneList, RolloutList } from '@nereid/api';
import { hashOfToken, type ApiToken } from '@nereid/config';
import { aDeployment } from '@nereid/github/testing';
import { createAuditTrail } from '@nereid/storage';
import { TOKEN } from '../login/testing.ts';
import { aConsole, aLaneRecord, RUNNING } from '../testing.ts';
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
  askAccess = (_visitor, repositories) => Promise.resolve(repositories.map(({ name }) => name === 'infra'));
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
    await createAuditTrail(console.store).append(NOW, `j-${name}`, anApply(`acme/${name}`));
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

test.each(LISTS)('while nobody can say what somebody may see, nothing is shown, and that is said: %s', async (list) => {
  askAccess = () => Promise.reject(new AccessUnknownError('the workers or GitHub do not answer', 10));
  const { ask } = await withTwoRepositories();

  const answer = await ask(`/api/v1/${list}`);

  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10']);
  expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('which repositories you may see') });
});

function anApply(repository: string) {
  return {
    version: 1,
    id: `j-${repository}`,
    state: 'SUCCESS',
    jobId: 'j1',
    jobType: 'apply',
    deploymentId: 'd1',
    repository,
    rootName: 'network',
    revision: 'a'.repeat(40),
    isForceApply: false,
    trigger: 'merge',
    rerun: false,
    initiatingUser: 'alice',
    startedAt: NOW,
    workflowId: 'd1',
  } as const;
}
