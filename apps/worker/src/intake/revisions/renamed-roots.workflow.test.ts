import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { aDeployment, aLock } from '@nereid/domain/testing';
import type { LaneRecord } from '@nereid/domain/lane';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { openObjectStore } from '@nereid/storage';
import { intakeStageOfThisFile } from '../testing/intake-stage.ts';
import { BACKEND, type StagedRepository } from '../testing/staged-repository.ts';

const AS_LOOSE = 'version: 1\nroots: [{ dir: loose }]\n';
const RENAMED = 'version: 1\nroots: [{ dir: loose, name: harmless }]\n';

const stage = intakeStageOfThisFile();

/** A root whose plans nobody has to review, deployed as `loose`; then its repository gives it another name. */
async function aRenamedRoot(yaml = RENAMED) {
  const infra = await stage.repository({ 'loose/main.tf': BACKEND, 'nereid.yaml': AS_LOOSE });
  const { repository } = infra;
  await stage.context.rootPlaces.add({ repository, dir: 'loose', workspace: 'default' }, 'loose');
  const before = await infra.head();
  const after = await infra.commit({ 'nereid.yaml': yaml, 'loose/main.tf': `${BACKEND}# wider` });
  return { infra, push: infra.pushes(before, after) };
}

async function deploymentOf(infra: StagedRepository, rootName: string) {
  const [deployment] = await infra.lane(rootName).holds(1);
  return deployment;
}

describe('a new name for a directory and workspace that were deployed under another', () => {
  test('takes a review, whatever its settings say', async () => {
    const { infra, push } = await aRenamedRoot();

    await stage.deliver(push);

    const deployment = await deploymentOf(infra, 'harmless');
    expect(deployment).toMatchObject({
      root: { name: 'harmless', planReview: 'required' },
      formerly: { rootName: 'loose' },
    });
    expect(deployment?.root).not.toHaveProperty('autoWhen');
  });

  test('is as new again when another name was deployed since', async () => {
    const { infra, push } = await aRenamedRoot(AS_LOOSE);
    await stage.context.rootPlaces.add({ repository: infra.repository, dir: 'loose', workspace: 'default' }, 'since');

    await stage.deliver(push);

    expect(await deploymentOf(infra, 'loose')).toMatchObject({
      root: { planReview: 'required' },
      formerly: { rootName: 'since' },
    });
  });

  test('is none beside another root of the same directory and workspace, once it was deployed itself', async () => {
    const project = (name: string) => `  - { dir: loose, name: ${name}, workflow: ${name} }\n`;
    const yaml = `version: 3\nprojects:\n${project('eu')}${project('us')}`;
    const infra = await stage.repository({ 'loose/main.tf': BACKEND, 'atlantis.yaml': yaml });
    const place = { repository: infra.repository, dir: 'loose', workspace: 'default' };
    for (const name of ['eu', 'us']) await stage.context.rootPlaces.add(place, name);
    const before = await infra.head();
    const after = await infra.commit({ 'loose/main.tf': `${BACKEND}# wider` });

    await stage.deliver(infra.pushes(before, after));

    for (const [name, twin] of [
      ['eu', 'us'],
      ['us', 'eu'],
    ] as const) {
      const deployment = await deploymentOf(infra, name);
      expect(deployment).toMatchObject({ root: { name, twins: [twin] } });
      expect(deployment).not.toHaveProperty('formerly');
    }
  });

  test('starts with the lock of the name before', async () => {
    const { infra, push } = await aRenamedRoot();
    const lock = aLock();
    await infra.lane('loose').record({ lock });

    await stage.deliver(push);

    const view = await infra.lane('harmless').waitsFor('lock');
    expect(view).toMatchObject({ lock, waiting: [{ formerly: { rootName: 'loose', lock } }] });
  });

  test.each<[string, Partial<LaneRecord>]>([
    ['that the lane before has none', {}],
    ['that another one holds it', { lock: aLock() }],
  ])('starts with the lock that storage knows, although somebody says %s', async (_what, said) => {
    const { infra, push } = await aRenamedRoot();
    const deploymentId = await deployedByHand(infra);
    await infra.lane('loose').record(said);

    await stage.deliver(push);

    const lock = { kind: 'manual', deploymentId };
    expect(await infra.lane('harmless').waitsFor('lock')).toMatchObject({ lock });
  });
});

/** Storage knows that a manual deployment was applied to `loose`, which has locked it since. Answers its id. */
async function deployedByHand({ repository }: StagedRepository): Promise<string> {
  const { laneTurns, begunApplies } = stage.context;
  const id = randomUUID();
  const { revision, rerun, requestedBy, receivedAt: at } = aDeployment({ status: 'succeeded' });
  const root = { name: 'loose', onFailure: 'continue' } as const;
  const deployment = { id, revision, trigger: 'manual', rerun, requestedBy, root } as const;
  await laneTurns.change(repository, 'loose', async () => ({
    last: { deployment, at, pool: DEFAULT_POOL, jobIds: ['j1'] },
  }));
  await begunApplies.of(DEFAULT_POOL).begin(id, { hostId: 'h1', jobId: 'j1' });
  const counts = { added: 1, changed: 0, destroyed: 0, imported: 0 };
  await begunApplies.of(DEFAULT_POOL).complete(id, { kind: 'applied', counts });
  return id;
}

test.each([
  ['the name that it always had', 'loose', AS_LOOSE],
  [
    'a name of its own in another workspace',
    'other',
    'version: 1\nroots: [{ dir: loose, name: other, workspace: b }]\n',
  ],
])('%s takes no more than its settings say', async (_what, rootName, yaml) => {
  const { infra, push } = await aRenamedRoot(yaml);

  await stage.deliver(push);

  const deployment = await deploymentOf(infra, rootName);
  expect(deployment).toMatchObject({ root: { planReview: 'auto' } });
  expect(deployment).not.toHaveProperty('formerly');
});

describe('a broken record of a place', () => {
  /** Two roots that were deployed before, a change of both, and the broken record of one of them. */
  async function aBrokenPlace() {
    const infra = await stage.repository({ 'loose/main.tf': BACKEND, 'network/main.tf': BACKEND });
    const { repository } = infra;
    await stage.context.rootPlaces.add({ repository, dir: 'loose', workspace: 'default' }, 'loose');
    const mend = await breakPlace(infra);
    const change = { 'loose/main.tf': `${BACKEND}# wider`, 'network/main.tf': `${BACKEND}# wider` };
    return { infra, change, mend };
  }

  /** Returns a function that removes the record, as its sentence says. */
  async function breakPlace({ repository: { owner, name } }: StagedRepository): Promise<() => Promise<void>> {
    const { storage } = stage.context.server.current();
    const store = await openObjectStore(storage.deployments, storage);
    const keys: string[] = [];
    for await (const key of store.list(`places/${owner}/${name}/`)) keys.push(key);
    for (const key of keys) await store.put(key, Buffer.from('{'));
    return async () => {
      for (const key of keys) await store.delete(key);
      store.close();
    };
  }

  test('stops its own root only, which a re-run of its check run deploys once the record is mended', async () => {
    const { infra, change, mend } = await aBrokenPlace();
    const before = await infra.head();

    const result = await stage.deliver(infra.pushes(before, await infra.commit(change)));

    expect(result).toMatchObject({ kind: 'signalled', workflows: [infra.lane('network').id] });
    expect(result.sentence).toContain('not deployed: loose');
    const stopped = infra.checkRuns().find(({ name }) => name === 'nereid/deploy: loose');
    expect(stopped).toMatchObject({ conclusion: 'failure' });
    expect(stopped?.output.summary).toMatch(
      /^loose is not deployed: the record places\/.* is broken: .*; then re-run it$/,
    );

    const pressed = { id: stopped?.id ?? 0, name: 'nereid/deploy: loose', headSha: await infra.head(), externalId: '' };
    const early = await stage.deliver(infra.reruns({ ...pressed, conclusion: 'failure' }));
    await mend();
    const late = await stage.deliver(infra.reruns({ ...pressed, conclusion: 'failure' }));

    expect([early.kind, late.kind]).toEqual(['refused', 'signalled']);
  });

  test('stops its root of a command, and the reply says why', async () => {
    const { infra, change, mend } = await aBrokenPlace();
    const opened = await infra.pullRequest(change);

    const both = await stage.deliver(infra.says(opened, 'nereid apply'));
    const one = await stage.deliver(infra.says(opened, 'nereid apply loose'));
    await mend();

    expect(both).toMatchObject({ kind: 'signalled', workflows: [infra.lane('network').id] });
    expect(infra.comments(opened)).toEqual([
      expect.stringMatching(/^Queued: `network`\. Not deployed: `loose` \(its check says why\)\./),
      expect.stringMatching(/^Nothing was done:\n[^]*loose is not deployed: the record/),
    ]);
    expect(one).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('loose is not deployed') });
  });
});
