import { createPrivateKey, createPublicKey, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Order } from '@nereid/domain/deployment';
import type { ReadTokenRequest } from '@nereid/domain/tokens';
import { createOpener } from '@nereid/signature';
import { SEAL_VARIABLES, testSignatures, withOrder, type UnsignedJob } from '../../testing/test-signatures.ts';
import type { MintReadToken } from './read-tokens.ts';
import { createReadTokenActivities, type SealTools } from './seal-read-token.ts';
import { aJob } from './testing/a-job.ts';

const EXPIRES_AT = (Math.floor(Date.now() / 1_000) + 3_600) * 1_000;
const opener = createOpener([createPrivateKey(SEAL_VARIABLES.POOL_SEAL_KEY)]);

let minted: string[];
/** The deployments that have ended. */
let ended: Set<string>;
/** How previews stand. */
let previews: Map<string, string>;

const NEVER = '2999-01-01T00:00:00.000Z';

beforeEach(() => {
  minted = [];
  ended = new Set();
  previews = new Map();
});

test('a host gets a token of the repository that was ordered, sealed to its pool and signed', async () => {
  const request = await aRequest();
  const { id: deploymentId, repository } = request.order.body;

  const answer = await control().sealReadToken(request);

  const purpose = { subject: deploymentId, repository: 'acme/infra' };
  expect(minted).toEqual(['acme/infra']);
  const { body } = await testSignatures.open('token/read', answer, { repository, deploymentId });
  await expect(opener.open(purpose, body.sealed)).resolves.toEqual({ secret: 'token-1', expiresAt: EXPIRES_AT });
});

test('nothing is sealed to a pool for the order of another one', async () => {
  const request = await aRequest({ root: { ...aJob().root, pool: 'prod' } });

  await expect(control().sealReadToken(request)).rejects.toMatchObject({
    type: 'NO_SEAL_KEY',
    message: expect.stringContaining("as seal_public_key of the pool prod in the server's file"),
  });
  expect(minted).toEqual([]);
});

test('a token is one of the installation that was ordered', async () => {
  const installations: number[] = [];
  const request = await aRequest();
  const mint: MintReadToken = (given) => {
    installations.push(given.installationId);
    return Promise.resolve({ value: 'token-1', expiresAt: EXPIRES_AT });
  };

  await control({ mint }).sealReadToken(request);

  expect(installations).toEqual([aJob().repository.installationId]);
});

describe('no token is made', () => {
  test.each<[string, (order: Order) => Partial<Order>]>([
    ['of another repository', ({ repository }) => ({ repository: { ...repository, name: 'secrets' } })],
    ['of another installation', ({ repository }) => ({ repository: { ...repository, installationId: 2 } })],
    ['of another deployment', () => ({ id: randomUUID() })],
  ])('makes no token for an order %s', async (_what, change) => {
    const { order } = await aRequest();
    const changed = { ...order, body: { ...order.body, ...change(order.body) } };

    await expect(control().sealReadToken({ version: 1, order: changed })).rejects.toMatchObject({
      type: 'FORGED',
      nonRetryable: true,
    });
    expect(minted).toEqual([]);
  });

  test('for an order that nobody signed', async () => {
    const { order } = await aRequest();
    const asking = control().sealReadToken({ version: 1, order: { ...order, signature: '' } });

    await expect(asking).rejects.toMatchObject({ type: 'FORGED', nonRetryable: true });
    expect(minted).toEqual([]);
  });

  test('for a deployment that has ended', async () => {
    const request = await aRequest();
    ended.add(request.order.body.id);

    await expect(control().sealReadToken(request)).rejects.toMatchObject({ type: 'DEPLOYMENT_ENDED' });
    expect(minted).toEqual([]);
  });

  test.each([[new Date(Date.now() - 1).toISOString()], [''], [undefined]])(
    'makes no token for an order that ended at %j',
    async (expiresAt) => {
      const ordered = await testSignatures.enclose('order/deploy', await bodyWithout(expiresAt));

      await expect(control().sealReadToken({ version: 1, order: ordered })).rejects.toMatchObject({
        type: 'ORDER_EXPIRED',
        nonRetryable: true,
      });
      expect(minted).toEqual([]);
    },
  );

  async function bodyWithout(expiresAt: string | undefined): Promise<Order> {
    const { expiresAt: _then, ...body } = (await aRequest()).order.body;
    return { ...body, ...(expiresAt !== undefined && { expiresAt }) };
  }

  test('where control has no key to seal with, and the failure says which setting is missing', async () => {
    const asking = control({ sealKeyOf: () => undefined }).sealReadToken(await aRequest());

    await expect(asking).rejects.toMatchObject({
      type: 'NO_SEAL_KEY',
      message: expect.stringContaining('in POOL_SEAL_PUBLIC_KEY of the control workers, found nothing'),
    });
    expect(minted).toEqual([]);
  });
});

describe('however many ask for a repository at once', () => {
  test('GitHub is asked for one token, and each caller gets its own sealed copy', async () => {
    const ofControl = control();
    const requests = await Promise.all(Array.from({ length: 50 }, () => aRequest()));

    const answers = await Promise.all(requests.map((request) => ofControl.sealReadToken(request)));

    expect(minted).toEqual(['acme/infra']);
    expect(new Set(answers.map(({ body }) => body.sealed)).size).toBe(50);
  });

  test('GitHub is asked once when it refuses too', async () => {
    const refusing = async () => {
      minted.push('refused');
      return Promise.reject(new Error('GitHub is away'));
    };
    const ofControl = control({ mint: refusing });
    const requests = await Promise.all(Array.from({ length: 50 }, () => aRequest()));

    const answers = await Promise.allSettled(requests.map((request) => ofControl.sealReadToken(request)));

    expect(minted).toEqual(['refused']);
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true);
  });
});

describe('a preview', () => {
  const preview = { headSha: 'a'.repeat(40), baseSha: 'b'.repeat(40), expiresAt: NEVER };
  const aPreview = () => aRequest({ trigger: 'preview', preview });

  test('has a token while it is under way', async () => {
    const request = await aPreview();
    previews.set(request.order.body.id, 'planning');

    await expect(control().sealReadToken(request)).resolves.toMatchObject({ body: { sealed: expect.any(String) } });
  });

  test.each([['planned'], ['cancelled'], [undefined]] as const)('has none once it is %s', async (status) => {
    const request = await aPreview();
    if (status === undefined) previews.delete(request.order.body.id);
    else previews.set(request.order.body.id, status);

    await expect(control().sealReadToken(request)).rejects.toMatchObject({ type: 'DEPLOYMENT_ENDED' });
  });

  test('is no deployment: its order cannot be given as one', async () => {
    const { order } = await aPreview();
    const body = { ...order.body, trigger: 'merge' } as const;

    await expect(control().sealReadToken({ version: 1, order: { ...order, body } })).rejects.toMatchObject({
      type: 'FORGED',
    });
  });
});

describe('a host that is to free a lock', () => {
  async function anUnlocking(expiresAt = NEVER) {
    const { order } = await aRequest();
    const body = { ...order.body, unlocking: { lockId: '1', commentId: 3, expiresAt } };
    return { version: 1, order: await testSignatures.enclose('order/force-unlock', body) } as const;
  }

  test('has a token until its order expires', async () => {
    await expect(control().sealReadToken(await anUnlocking())).resolves.toMatchObject({
      body: { sealed: expect.any(String) },
    });
    const kept = await anUnlocking('2026-01-01T00:00:00.000Z');
    await expect(control().sealReadToken(kept)).rejects.toMatchObject({ type: 'ORDER_EXPIRED' });
  });

  test('has none for an order of a deployment, nor the other way round', async () => {
    const freeing = await anUnlocking();
    const { unlocking, ...body } = freeing.order.body;
    const { order } = await aRequest();

    const undressed = { version: 1, order: { ...freeing.order, body } } as const;
    await expect(control().sealReadToken(undressed)).rejects.toMatchObject({ type: 'FORGED' });
    const dressed = { version: 1, order: { ...order, body: { ...order.body, unlocking } } } as const;
    await expect(control().sealReadToken(dressed)).rejects.toMatchObject({ type: 'FORGED' });
  });
});

function control(tools: Partial<SealTools> = {}) {
  const deploymentRecords = {
    find: async (_repository: unknown, _root: string, id: string) => Promise.resolve(ended.has(id) ? {} : undefined),
  } as unknown as SealTools['context']['deploymentRecords']; // Only whether there is one is asked.
  const pullRequestRecords = {
    readPreview: async (_repository: unknown, _root: string, id: string) => {
      const status = previews.get(id);
      return Promise.resolve(status && { deployment: { progress: { status } } });
    },
  } as unknown as SealTools['context']['pullRequestRecords']; // Only how it stands is asked.
  return createReadTokenActivities({
    context: { signatures: testSignatures, deploymentRecords, pullRequestRecords },
    mint: async ({ owner, name }) => {
      minted.push(`${owner}/${name}`);
      return Promise.resolve({ value: `token-${minted.length}`, expiresAt: EXPIRES_AT });
    },
    sealKeyOf: (pool) => (pool === 'default' ? createPublicKey(SEAL_VARIABLES.POOL_SEAL_PUBLIC_KEY) : undefined),
    ...tools,
  });
}

async function aRequest(more: Partial<UnsignedJob> = {}): Promise<ReadTokenRequest> {
  const { order } = await withOrder({ ...aJob(), ...more });
  return { version: 1, order };
}
