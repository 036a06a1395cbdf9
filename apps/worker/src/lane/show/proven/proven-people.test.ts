import { beforeEach, expect, test } from '@jest/globals';
import type { Deployment, Unlocked } from '@nereid/domain/deployment';
import { unlockFacts } from '@nereid/domain/lane';
import { deploymentAt, progressAs, REPOSITORY } from '@nereid/domain/testing';
import { createSignatures } from '../../../platform/keys/signatures.ts';
import { TEST_KEYS, TEST_POOLS, testSignatures } from '../../../testing/test-signatures.ts';
import { withProvenEnding, withProvenWords } from './proven-words.ts';

const ASKED_AT = '2026-01-31T14:00:00.000Z';
const AT = '2026-01-31T14:00:01.000Z';

let forged: string[];
let context: Parameters<typeof withProvenWords>[0];

beforeEach(() => {
  forged = [];
  const onForged = ({ kind }: { readonly kind: string }) => forged.push(kind);
  context = { signatures: createSignatures({ ...TEST_POOLS, keys: TEST_KEYS, onForged }) };
});

async function liftedBy(by: string, signedFor = by, rootName = deploymentAt(1).root.name): Promise<Unlocked> {
  const signature = await testSignatures.sign(
    'unlock',
    unlockFacts(REPOSITORY, rootName, { by: signedFor, askedAt: ASKED_AT }),
  );
  return { by, at: AT, proof: { askedAt: ASKED_AT, signature } };
}

function unlocked(by: Unlocked): Deployment {
  return { ...deploymentAt(1), progress: progressAs('apply-outcome-unknown'), unlocked: by };
}

test('the person who lifted a lock is named, with the time at which they asked', async () => {
  const by = await liftedBy('carol');

  const { deployment } = await withProvenWords(context, REPOSITORY, { deployment: unlocked(by) });

  expect(deployment.unlocked).toEqual({ ...by, at: ASKED_AT });
  expect(forged).toEqual([]);
});

test.each<[string, () => Promise<Unlocked>]>([
  ['nobody signed it', async () => forgedProof(await liftedBy('officer'))],
  ['somebody else asked', () => liftedBy('officer', 'carol')],
  ['they asked for the lock of another lane', () => liftedBy('officer', 'officer', 'another')],
  ['they asked at another time', async () => later(await liftedBy('officer'))],
])('nobody is named where %s, neither on the check run nor in the record', async (_what, forge) => {
  const deployment = unlocked(await forge());
  const record = { version: 1, repository: REPOSITORY, deployment, endedAt: AT } as const;

  const ending = await withProvenEnding(context, { record, audits: [], deletesPlan: false });
  const shown = await withProvenWords(context, REPOSITORY, { deployment });

  expect(JSON.stringify([ending, shown])).not.toContain('officer');
  expect(forged).toEqual(['unlock', 'unlock']);
});

test('nobody is named, and nothing counts as forged, where a release before signatures lifted the lock', async () => {
  const { deployment } = await withProvenWords(context, REPOSITORY, {
    deployment: unlocked({ by: 'officer', at: AT }),
  });

  expect(deployment.unlocked).toBeUndefined();
  expect(forged).toEqual([]);
});

function forgedProof({ proof, ...unlock }: Unlocked): Unlocked {
  return { ...unlock, ...(proof && { proof: { ...proof, signature: 'a..b' } }) };
}

function later({ proof, ...unlock }: Unlocked): Unlocked {
  return { ...unlock, ...(proof && { proof: { ...proof, askedAt: AT } }) };
}
