import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { orderBody, type ForceUnlockOrder, type ForceUnlockOutcome } from '@nereid/domain/deployment';
import type { Failure } from '@nereid/domain/host';
import type { Signed } from '@nereid/domain/signed';
import type { TrailEvent } from '@nereid/domain/trail';
import { pino } from 'pino';
import { anActivity } from '../host/testing/an-activity.ts';
import { testSignatures } from '../testing/test-signatures.ts';
import { aJob } from '../platform/tokens/testing/a-job.ts';
import { createForceUnlockActivities } from './force-unlock-activities.ts';
import { publishTo } from '../testing/publish-to.ts';

const FAILURE = { summary: 'force-unlock ended with exit code 1', lines: ['Failed to unlock state: ```no```'] };

let said: string[];
let reactions: string[];
let audited: TrailEvent[];
/** Of the comments that were written. */
let keys: Set<string>;

beforeEach(() => {
  [said, reactions, audited] = [[], [], []];
  keys = new Set();
});

test('a freed lock is said in a reply, shown on the comment, and audited', async () => {
  const order = await anOrder();

  await answer(order, await outcomeOf(order));

  expect(said).toEqual([expect.stringMatching(/^Freed the lock `1` of the state of `network`, as @ada asked\./)]);
  expect(reactions).toEqual(['+1']);
  expect(audited).toEqual([
    {
      version: 1,
      id: `${order.body.id}:SUCCESS`,
      state: 'SUCCESS',
      action: 'force_unlock',
      repository: 'acme/infra',
      rootName: 'network',
      revision: 'a'.repeat(40),
      lockId: '1',
      initiatingUser: 'ada',
      pullRequest: 12,
      workflowId: 'force-unlock/r1',
    },
  ]);
});

test('the words of Terraform stand in a fence that they cannot leave', async () => {
  const order = await anOrder();

  await answer(order, await outcomeOf(order, FAILURE));

  expect(said).toEqual([expect.stringContaining('````text\nFailed to unlock state: ```no```\n````')]);
  expect(reactions).toEqual(['-1']);
  expect(audited).toMatchObject([{ state: 'FAILURE', sentence: FAILURE.summary }]);
});

test('when no host was heard, the person learns that it may have happened', async () => {
  await answer(await anOrder(), 'unheard');

  expect(said).toEqual([expect.stringMatching(/^No host said what became of the lock/)]);
  expect(audited).toMatchObject([{ state: 'UNKNOWN' }]);
});

test('each answer is written once, and a made-up silence keeps the true one from nobody', async () => {
  const order = await anOrder();
  const freed = await outcomeOf(order);

  for (const outcome of ['unheard', freed, 'unheard', freed] as const) await answer(order, outcome);

  expect(said).toEqual([expect.stringMatching(/^No host said/), expect.stringMatching(/^Freed/)]);
});

describe('nothing is said or audited', () => {
  test('for an order that intake did not sign', async () => {
    const order = await anOrder();

    await expect(answer({ ...order, signature: '' }, 'unheard')).rejects.toMatchObject({ type: 'FORGED' });
    expect([...said, ...audited]).toEqual([]);
  });

  test.each<[string, { readonly failure?: Failure }]>([
    ['of other words', { failure: { ...FAILURE, lines: ['all is well'] } }],
    ['turned into a success', {}],
  ])('an outcome %s is neither told nor audited', async (_what, change) => {
    const order = await anOrder();
    const { body, signature } = await outcomeOf(order, FAILURE);
    const { failure: _said, ...rest } = body;

    await expect(answer(order, { body: { ...rest, ...change }, signature })).rejects.toMatchObject({ type: 'FORGED' });
    expect([...said, ...audited]).toEqual([]);
  });

  test('for the outcome of another order', async () => {
    const outcome = await outcomeOf(await anOrder());

    await expect(answer(await anOrder(), outcome)).rejects.toMatchObject({ type: 'FORGED' });
  });
});

function answer(order: Signed<ForceUnlockOrder>, outcome: ForceUnlockOutcome): Promise<string> {
  const forge = {
    comments: {
      // As GitHub does with the key, once the comments since then were searched.
      create: async (_repository: unknown, _number: unknown, { body, key }: { body: string; key: string }) => {
        if (!keys.has(key)) said.push(body);
        keys.add(key);
        return Promise.resolve();
      },
      react: async (_repository: unknown, _id: unknown, reaction: string) =>
        Promise.resolve(void reactions.push(reaction)),
    },
  };
  const activities = createForceUnlockActivities({
    signatures: testSignatures,
    forge: forge as unknown as Parameters<typeof createForceUnlockActivities>[0]['forge'], // Only comments are written.
    publish: publishTo((event) => Promise.resolve(void audited.push(event))),
    logger: pino({ level: 'silent' }),
  });
  return anActivity().run(() => activities.answerForceUnlock(order, outcome));
}

async function anOrder(): Promise<Signed<ForceUnlockOrder>> {
  const { deploymentId: _of, ...job } = aJob();
  const ordered = { ...job, id: randomUUID(), trigger: 'manual', pullRequest: 12 } as const;
  const unlocking = { lockId: '1', commentId: 3, expiresAt: new Date(Date.now() + 60_000).toISOString() };
  return testSignatures.enclose('order/force-unlock', { ...orderBody(job.repository, ordered), unlocking });
}

async function outcomeOf({ body: { id }, signature }: Signed<ForceUnlockOrder>, failure?: Failure) {
  const about = { forceUnlockId: id, order: signature };
  return testSignatures.enclose('result/force-unlocked', { version: 1, ...about, ...(failure && { failure }) });
}
