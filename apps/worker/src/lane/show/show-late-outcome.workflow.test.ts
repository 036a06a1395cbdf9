import { afterEach, expect, test } from '@jest/globals';
import type { LateOutcome } from '@nereid/domain/deployment';
import { fullName } from '@nereid/domain/root';
import { aDeployment } from '@nereid/domain/testing';
import { intakeStageOfThisFile } from '../../intake/testing/intake-stage.ts';
import { testSignatures } from '../../testing/test-signatures.ts';
import { showLateOutcome } from './show-late-outcome.ts';
import { BACKEND, type StagedRepository } from '../../intake/testing/staged-repository.ts';

const SENTENCE = 'Host h1 came back: the apply that it had begun ended: 1 added, 0 changed, 0 destroyed.';

const stage = intakeStageOfThisFile();

afterEach(() => {
  stage.standIn.faults.clear();
});

/** A deployment whose apply has an unknown outcome, and that locked its lane. */
async function anUnknownOutcome(infra: StagedRepository) {
  const sha = await infra.head();
  const checkRun = await infra.ownCheckRun('network', sha, { externalId: 'd1', conclusion: 'timed_out' });
  const unknown = aDeployment({ status: 'apply-outcome-unknown', reason: 'the host did not come back' });
  const revision = { ...unknown.revision, sha };
  const checkRuns = [{ id: checkRun.id, completed: true }];
  const deployment = await infra.recordEnded({ ...unknown, id: 'd1', revision, checkRuns });
  return { checkRun, deployment };
}

/** As its host signs it. */
async function show({ repository }: StagedRepository, more: Partial<LateOutcome> = {}): Promise<string> {
  const told = { version: 1, repository, rootName: 'network', deploymentId: 'd1', sentence: SENTENCE } as const;
  return showLateOutcome(stage.context, await testSignatures.enclose('result/late-outcome', { ...told, ...more }));
}

test('what a host tells late of an apply stands on its check run; the deployment and its lock stay as they are', async () => {
  const infra = await stage.repository({ 'network/main.tf': BACKEND });
  const { checkRun, deployment } = await anUnknownOutcome(infra);
  const lock = { kind: 'outcome-unknown', deploymentId: 'd1', revision: deployment.revision.sha, by: 'wim' } as const;
  await infra.lane('network').record({ lock: { ...lock, at: '2026-01-31T14:00:00.000Z' } });

  const result = await show(infra);

  expect(result).toBe(SENTENCE);
  const shown = infra.shown(checkRun);
  expect(shown).toMatchObject({ conclusion: 'timed_out', actions: [{ identifier: 'unlock' }] });
  expect(shown?.output.summary).toMatch(/^> \[!WARNING]\n> Host h1 came back: .* 1 added, 0 changed, 0 destroyed\./);
  const record = await stage.context.laneRecords.read(infra.repository, 'network');
  expect(record?.record.lock).toMatchObject(lock);
  const kept = await stage.context.deploymentRecords.find(infra.repository, 'network', 'd1');
  expect(kept?.deployment).toEqual(deployment);
  stage.standIn.assertNoRefusedRequests();
});

test('a check run that came after the record of its deployment is found', async () => {
  const infra = await stage.repository({ 'network/main.tf': BACKEND });
  const { checkRun, deployment } = await anUnknownOutcome(infra);
  await infra.recordEnded({ ...deployment, id: 'd2', checkRuns: [] });
  const later = await infra.ownCheckRun('network', await infra.head(), { externalId: 'd2' });

  expect(await show(infra, { deploymentId: 'd2' })).toBe(SENTENCE);

  expect(infra.shown(later)?.output.summary).toContain('Host h1 came back');
  expect(infra.shown(checkRun)?.output.summary).toBe('What failed.');
});

test('what no host signed is not shown', async () => {
  const infra = await stage.repository({ 'network/main.tf': BACKEND });
  const { checkRun } = await anUnknownOutcome(infra);
  const { repository } = infra;
  const told = { version: 1, repository, rootName: 'network', deploymentId: 'd1', sentence: SENTENCE } as const;
  const body = { ...told, sentence: 'It failed.' };
  const { signature } = await testSignatures.enclose('result/late-outcome', body);

  for (const forged of [
    { body: told, signature: '' },
    { body: told, signature },
  ])
    await expect(showLateOutcome(stage.context, forged)).rejects.toMatchObject({ kind: 'result/late-outcome' });

  expect(infra.shown(checkRun)?.output.summary).toBe('What failed.');
});

test('what a host of another pool tells is not shown', async () => {
  const infra = await stage.repository({ 'network/main.tf': BACKEND });
  const unknown = aDeployment({ status: 'apply-outcome-unknown' });
  await infra.recordEnded({ ...unknown, id: 'd1', root: { ...unknown.root, pool: 'prod' } });

  await expect(show(infra)).rejects.toMatchObject({
    kind: 'result/late-outcome',
    message: expect.stringContaining('one by the pool default for one of prod'),
  });
});

test('a record that names the check run of something else has nothing written there', async () => {
  const infra = await stage.repository({ 'network/main.tf': BACKEND });
  const required = await infra.ownCheckRun('network', await infra.head(), { externalId: 'd9' });
  const unknown = aDeployment({ status: 'apply-outcome-unknown' });
  const revision = { ...unknown.revision, sha: await infra.head() };
  await infra.recordEnded({ ...unknown, id: 'd1', revision, checkRuns: [{ id: required.id, completed: true }] });

  expect(await show(infra)).toBe('deployment d1 has no check run');

  expect(infra.shown(required)?.output.summary).toBe('What failed.');
});

test('of a deployment that nobody knows, nothing is written', async () => {
  const infra = await stage.repository({ 'network/main.tf': BACKEND });
  const { checkRun } = await anUnknownOutcome(infra);

  const result = await show(infra, { deploymentId: 'd2' });

  expect(result).toBe('there is no record of deployment d2');
  expect(infra.shown(checkRun)?.output.summary).toBe('What failed.');
});

test('of a repository that the server does not allow, nothing is written', async () => {
  const infra = await stage.repository({ 'network/main.tf': BACKEND }, 'other');
  const { checkRun } = await anUnknownOutcome(infra);

  expect(await show(infra)).toBe(`${fullName(infra.repository)} is not allowed`);

  expect(infra.shown(checkRun)?.output.summary).toBe('What failed.');
});

test('a check run that GitHub refuses for good is nothing to tell again, while an outage is', async () => {
  const infra = await stage.repository({ 'network/main.tf': BACKEND });
  await anUnknownOutcome(infra);
  const route = /check-runs/;
  stage.standIn.faults.add({ kind: 'refusal', status: 404, route });

  expect(await show(infra)).toMatch(/^GitHub does not show it: /);

  stage.standIn.faults.clear();
  stage.standIn.faults.add({ kind: 'failure', status: 503, route });
  await expect(show(infra)).rejects.toMatchObject({ code: 'FORGE_UNAVAILABLE' });
});
