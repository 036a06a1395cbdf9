import { afterEach, describe, expect, test } from '@jest/globals';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import type { RequestFor } from '@nereid/domain/intake';
import { intakeStageOfThisFile } from '../../testing/intake-stage.ts';
import { BACKEND } from '../../testing/staged-repository.ts';

const stage = intakeStageOfThisFile();

afterEach(() => stage.standIn.assertNoRefusedRequests());

/** A deployment that waits, as a rule at a stop. */
async function waiting(gate: 'stop' | 'review' = 'stop') {
  const infra = await stage.repository({ 'network/main.tf': BACKEND });
  const staged = await stage.deployment();
  const blocked = aDeployment({ status: 'blocked', waitsFor: { gate, who: [] } });
  const root = { ...blocked.root, name: 'network', dir: 'network' };
  const revision = { ...blocked.revision, sha: await infra.head() };
  const deployment = { ...blocked, id: staged.id, root, revision };
  await infra.review(deployment);
  const isPlanned = () => infra.review({ ...deployment, progress: { ...deployment.progress, plan: aPlan() } });
  const request: RequestFor<'break_glass'> = {
    action: 'break_glass',
    rootName: 'network',
    deploymentId: staged.id,
    reason: 'the site is down',
  };
  return { infra, staged, request, isPlanned };
}

describe('breaking the glass', () => {
  test('is signed and stored with its person and reason, for one deployment, which is rung', async () => {
    const { infra, staged, request } = await waiting();

    const result = await stage.ask(infra, request, { sender: 'ada', delivery: 'glass-1' });

    expect(result).toMatchObject({
      kind: 'signalled',
      sentence: expect.stringMatching(/^@ada lets network be planned until .* UTC, whatever stops and windows say/),
    });
    const { owner, name } = infra.repository;
    const [glass] = (await stage.context.stopRecords.read({ owner, name })).glass;
    await expect(
      stage.context.signatures.open('decision/break-glass', glass, {
        repository: { owner, name },
        deploymentId: staged.id,
      }),
    ).resolves.toMatchObject({ body: { requestId: 'glass-1', by: 'ada', reason: 'the site is down' } });
    expect(result.userActions?.map(({ body }) => body.action)).toEqual([
      {
        action: 'break_glass',
        rootNames: ['network'],
        deploymentId: staged.id,
        reason: 'the site is down',
      },
    ]);
    expect((await staged.signals()).map(([signal]) => signal)).toEqual(['ask-again']);
  });

  test('that is asked for twice is one', async () => {
    const { infra, request } = await waiting();
    await stage.ask(infra, request, { sender: 'ada', delivery: 'glass-2' });
    await stage.ask(infra, request, { sender: 'ada', delivery: 'glass-2' });

    expect((await stage.context.stopRecords.read(infra.repository)).glass).toHaveLength(1);
  });

  test('that somebody sends again when there is a plan is not for this plan', async () => {
    const { infra, request, isPlanned } = await waiting();
    await stage.ask(infra, request, { sender: 'ada', delivery: 'glass-3' });
    const { glass } = await stage.context.stopRecords.read(infra.repository);
    await isPlanned();

    await stage.ask(infra, request, { sender: 'ada', delivery: 'glass-3' });

    expect((await stage.context.stopRecords.read(infra.repository)).glass).toEqual(glass);
    await stage.ask(infra, request, { sender: 'ada', delivery: 'glass-4' });
    expect((await stage.context.stopRecords.read(infra.repository)).glass[1]?.body).toHaveProperty('digest');
  });

  test('by a person who may only write is refused, and nothing is stored', async () => {
    const { infra, request } = await waiting();

    expect(await stage.ask(infra, request, { sender: 'wim' })).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining('it takes admin permission'),
    });
    expect((await stage.context.stopRecords.read(infra.repository)).glass).toEqual([]);
  });

  test('of a deployment that waits for something else is refused', async () => {
    const { infra, request } = await waiting('review');

    expect(await stage.ask(infra, request, { sender: 'ada' })).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining('waits at no stop and at no window'),
    });
  });
});
