/** Permission to apply, in a wave that comes after one with checks. */
import { beforeEach, expect, test } from '@jest/globals';
import { readServerConfig } from '@nereid/config';
import type { WaveChecks } from '@nereid/domain/gates';
import { REPOSITORY, shaAt } from '@nereid/domain/testing';
import { createDeploymentRecords, createRolloutRecords, createWaveCheckRecords } from '@nereid/storage';
import { storeOfEachTest } from '@nereid/storage/testing';
import { strangers, testSignatures } from '../testing/test-signatures.ts';
import { begin } from './begin.ts';
import { aBeginning } from './testing/a-beginning.ts';
import { beginContext } from './testing/begin-context.ts';

const ID = `${shaAt(1)}/delivery-1`;
const WAVES = '[{ name: canary, max: 1, checks: [{ name: page, http: { url: "http://127.0.0.1:9" } }] }]';

const store = storeOfEachTest();
let context: Parameters<typeof begin>[0];

beforeEach(async () => {
  const read = readServerConfig(
    `repositories: [{ match: "*/*", plan_review: auto }]\nstorage: { deployments: "file:/s", plans: "file:/s", logs: "file:/s" }\nwaves: ${WAVES}`,
  );
  if (read.kind !== 'ok') throw new Error(JSON.stringify(read.problems));
  const rolloutRecords = createRolloutRecords(store);
  const waveCheckRecords = createWaveCheckRecords(store);
  const server = { current: () => read.config };
  const deploymentRecords = createDeploymentRecords(store);
  context = { ...beginContext(), server, rolloutRecords, waveCheckRecords, deploymentRecords };
  const { owner, name } = REPOSITORY;
  await rolloutRecords.write({
    ...{ version: 1, repository: { owner, name }, id: ID, revision: shaAt(1), isRerun: false },
    orderedAt: '2026-01-31T14:00:00.000Z',
    roots: ['app', 'network'].map((rootName) => ({ rootName, group: 0, dependsOn: [], deploymentId: rootName })),
    waves: [
      { name: 'canary', rootNames: ['app'], soakMs: 0 },
      { name: 'the rest', rootNames: ['network'], soakMs: 0 },
    ],
  });
  await rolloutRecords.end(REPOSITORY, ID, 'app', { kind: 'ended', status: 'succeeded' });
});

async function permission() {
  return begin(context, await aBeginning({}, {}, { together: { rollout: ID, waves: ID } }));
}

function checked(state: WaveChecks['state'], signatures: Pick<typeof testSignatures, 'enclose'> = testSignatures) {
  const at = new Date().toISOString();
  const { owner, name } = REPOSITORY;
  const about = { version: 1, repository: { owner, name }, rollout: ID, wave: 1, since: at, at } as const;
  const results = [{ check: 'page', at, failures: state === 'halted' ? 3 : 0, answer: 'answered' }];
  const halt = state === 'halted' ? { haltedBy: 'page' } : {};
  return signatures.enclose('decision/wave-checks', { ...about, state, results, ...halt });
}

test('is not given before the checks have run, and the deployment keeps waiting', async () => {
  await expect(permission()).rejects.toMatchObject({
    code: 'GATE_CLOSED',
    wait: { gate: 'soak', sentence: expect.stringContaining('waits for the checks of wave 1') },
  });
});

test('is given once control has signed that they passed', async () => {
  await context.waveCheckRecords.write(await checked('passed'), undefined);

  expect((await permission()).body).toMatchObject({ deploymentId: '1' });
});

test('is not given where somebody else has signed it, or one of them failed', async () => {
  await context.waveCheckRecords.write(await checked('passed', strangers), undefined);
  await expect(permission()).rejects.toMatchObject({ code: 'GATE_CLOSED' });

  const found = await context.waveCheckRecords.read(REPOSITORY, ID, 1);
  await context.waveCheckRecords.write(await checked('halted'), found?.version);
  await expect(permission()).rejects.toMatchObject({
    code: 'GATE_CLOSED',
    wait: { sentence: expect.stringContaining('is halted by wave 1 of 2 (canary)') },
  });
});
