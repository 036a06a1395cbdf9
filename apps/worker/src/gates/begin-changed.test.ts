/**
 * Somebody who reaches Temporal asks for permission to apply with what a workflow of ours has sent, in which they changed one thing: they
 * get none, or the permission that the workflow got, and the audit trail hears the same.
 */
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { orderBody, type Go } from '@nereid/domain/deployment';
import type { Beginning } from '@nereid/domain/deployment-actor';
import { jobIdOf } from '@nereid/domain/host';
import { NO_CHANGES } from '@nereid/domain/plan';
import type { Signed } from '@nereid/domain/signed';
import { deploymentAt, REPOSITORY } from '@nereid/domain/testing';
import { changedMessages } from '@nereid/test-kit/changed-messages';
import { asClaimed, testSignatures } from '../testing/test-signatures.ts';
import { begin } from './begin.ts';
import { beginContext } from './testing/begin-context.ts';

const DIGEST = 'a1'.repeat(32);

/** Nobody but the workflow knows when it began to ask. */
const WHEN = 'job.startedAt ';

let genuine: Beginning;
let told: object[];

beforeAll(async () => {
  const ordered = { ...deploymentAt(1), root: { ...deploymentAt(1).root, planReview: 'required' } } as const;
  const { signature: order } = await testSignatures.enclose('order/deploy', orderBody(REPOSITORY, ordered));
  const plan = { digest: DIGEST, hasChanges: true, summary: { ...NO_CHANGES, create: 1, resources: [], omitted: 0 } };
  const made = await testSignatures.enclose('result/plan', { version: 1, deploymentId: ordered.id, order, ...plan });
  const progress = {
    status: 'awaiting-review',
    times: {},
    jobs: {},
    plan: { made, reviewRequired: true },
  } as const;
  const at = new Date().toISOString();
  const who = { by: 'grace', byId: 2, at } as const;
  const review = {
    version: 1,
    requestId: 'r1',
    deploymentId: ordered.id,
    answer: 'approved',
    digest: DIGEST,
    ...who,
  } as const;
  genuine = {
    repository: REPOSITORY,
    deployment: { ...ordered, order, progress },
    review: await testSignatures.enclose('decision/review', review),
    job: { id: jobIdOf(ordered.id, 'apply', 1), startedAt: at },
    ...(await asClaimed(ordered.id)),
    audits: [],
  };
});

async function ask(beginning: Beginning): Promise<Signed<Go>> {
  told = [];
  return begin(beginContext({ audit: async (event: object) => void told.push(event) }), beginning);
}

test('permission is for what was approved, whatever somebody changes in the request', async () => {
  const { deployment, review, job, hostId } = genuine;
  const about = { deploymentId: deployment.id, order: deployment.order ?? '' };
  const permitted = { ...about, jobId: job.id, digest: DIGEST, hostId, review: review?.signature };
  await ask(genuine);
  const heard = told;
  const wrong: string[] = [];

  for (const { what, message } of changedMessages(genuine)) {
    const go = await ask(message).catch(() => undefined);
    if (go === undefined) continue;
    const { body } = await testSignatures.open('go/apply', go, about);
    const { version: _one, acceptBy: _soon, beginBy: _later, expiresAt: _then, ...said } = body;
    const isThat = isDeepStrictEqual(said, permitted);
    const isHeard = what.startsWith(WHEN) || JSON.stringify(told) === JSON.stringify(heard);
    if (!isThat || !isHeard) wrong.push(what);
  }

  expect(wrong).toEqual([]);
});
