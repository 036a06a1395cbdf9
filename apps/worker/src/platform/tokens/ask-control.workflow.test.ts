import { createPrivateKey, createPublicKey } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Signed } from '@nereid/domain/signed';
import { CONTROL_QUEUE } from '@nereid/domain/temporal-names';
import type { SealedReadToken } from '@nereid/domain/deployment';
import type { ReadTokenActivities, ReadTokenRequest } from '@nereid/domain/tokens';
import { inParts } from '@nereid/domain/parts';
import { Context } from '@temporalio/activity';
import { createOpener, createSealKeyPair, type Opener } from '@nereid/signature';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import {
  openedBy,
  SEAL_VARIABLES,
  strangers,
  testSignatures,
  withOrder,
  type UnsignedJob,
} from '../../testing/test-signatures.ts';
import { tokensFromControl, type ControlOptions } from './ask-control.ts';
import type { OpenedJob } from './opened-job.ts';
import { createReadTokenActivities } from './seal-read-token.ts';
import { aJob } from './testing/a-job.ts';

const HOUR_MS = 3_600_000;
const FOREVER = new AbortController().signal;

const environment = environmentOfThisFile();
let minted = 0;
let lifeMs = HOUR_MS;
/** The deployments for which control was asked. */
let asked: string[] = [];
/** The last one. */
let workflowId = '';

const activities = createReadTokenActivities({
  context: {
    signatures: testSignatures,
    // Nothing has ended.
    deploymentRecords: { find: async () => Promise.resolve(undefined) } as never,
    pullRequestRecords: {} as never,
  },
  mint: async () => {
    minted += 1;
    return Promise.resolve({ value: `token-${minted}`, expiresAt: Date.now() + lifeMs });
  },
  sealKeyOf: () => createPublicKey(SEAL_VARIABLES.POOL_SEAL_PUBLIC_KEY),
});

const sealReadToken: ReadTokenActivities['sealReadToken'] = (request) => {
  asked.push(request.order.body.id);
  workflowId = Context.current().info.workflowExecution?.workflowId ?? '';
  return activities.sealReadToken(request);
};

beforeEach(() => {
  asked = [];
});

describe('a host without the key of the App', () => {
  test('gets a token from control for what was ordered, and asks once within its life', async () => {
    const host = hostTokens();
    const [job, other] = [await aHostJob(), await aHostJob()];

    await whileControlRuns({ sealReadToken }, async () => {
      const token = await host.tokenFor(job, FOREVER);
      expect(token).toMatch(/^token-\d+$/);
      await expect(host.tokenFor(job)).resolves.toBe(token);
      await host.tokenFor(other);
    });

    expect(asked).toEqual([job.deploymentId, other.deploymentId]);
  });

  test('asks again when the token ends within minutes', async () => {
    const host = hostTokens();
    const repository = { owner: 'acme', name: 'short-lived', installationId: 1 };
    const job = await aHostJob({ repository });
    lifeMs = 60_000;

    await whileControlRuns({ sealReadToken }, async () => {
      await host.tokenFor(job);
      await host.tokenFor(job);
    });

    lifeMs = HOUR_MS;
    expect(asked).toEqual([job.deploymentId, job.deploymentId]);
  });

  test('uses the token that came with its job, and asks nobody', async () => {
    const job = await withToken(await aHostJob());

    expect(await hostTokens().tokenFor(job, FOREVER)).toMatch(/^token-\d+$/);

    expect(asked).toEqual([]);
  });

  test('asks where the token that came ends within minutes', async () => {
    const repository = { owner: 'acme', name: 'ends-soon', installationId: 1 };
    lifeMs = 60_000;
    const job = await withToken(await aHostJob({ repository }));

    await whileControlRuns({ sealReadToken }, async () => {
      await hostTokens().tokenFor(job);
    });

    lifeMs = HOUR_MS;
    expect(asked).toEqual([job.deploymentId]);
  });

  test('asks where the token that came was sealed to a key that it lacks', async () => {
    const job = await withToken(await aHostJob());
    const own = createOpener([createPrivateKey(SEAL_VARIABLES.POOL_SEAL_KEY)]);
    const openers = [createOpener([]), own];
    const opener: Opener = { open: (...what) => (openers.shift() ?? own).open(...what) };

    await whileControlRuns({ sealReadToken }, async () => {
      await hostTokens({ opener }).tokenFor(job);
    });

    expect(asked).toEqual([job.deploymentId]);
  });

  test('takes no token with its job that control did not sign, or that it made for another deployment', async () => {
    const [job, other] = [await withToken(await aHostJob()), await withToken(await aHostJob())];
    const unsigned = { ...job.readToken, signature: job.order.signature };

    for (const readToken of [unsigned, other.readToken])
      await expect(hostTokens().tokenFor({ ...job, readToken })).rejects.toMatchObject({ code: 'FORGED' });
    expect(asked).toEqual([]);
  });

  test('gets none for an order that was forged', async () => {
    const theirs = await withOrder(aJob(), strangers);
    const job = await openedBy(theirs, strangers);

    await whileControlRuns({ sealReadToken }, () =>
      expect(hostTokens().tokenFor(job)).rejects.toMatchObject({ type: 'FORGED', nonRetryable: true }),
    );
  });

  test('takes none that control did not sign, whoever sealed it', async () => {
    const job = await aHostJob();
    const lying = async (request: ReadTokenRequest): Promise<Signed<SealedReadToken>> => {
      const { body } = await sealReadToken(request);
      return { body, signature: job.order.signature };
    };

    await whileControlRuns({ sealReadToken: lying }, () =>
      expect(hostTokens().tokenFor(job)).rejects.toMatchObject({ code: 'FORGED' }),
    );
  });

  test('takes none that was sealed and signed for another deployment', async () => {
    const [job, other] = [await aHostJob(), await aHostJob()];
    const swapping = async (request: ReadTokenRequest): Promise<Signed<SealedReadToken>> =>
      sealReadToken({ ...request, order: other.order.signed });

    await whileControlRuns({ sealReadToken: swapping }, () =>
      expect(hostTokens().tokenFor(job)).rejects.toMatchObject({ code: 'FORGED' }),
    );
  });

  test('says that it lacks the key when it was sealed to another pool', async () => {
    const opener = createOpener([createPrivateKey(createSealKeyPair().privateKey)]);
    const job = await aHostJob();

    await whileControlRuns({ sealReadToken }, () =>
      expect(hostTokens({ opener }).tokenFor(job)).rejects.toMatchObject({
        code: 'UNOPENABLE',
        message: expect.stringContaining('a seal to a key that this process does not have'),
      }),
    );
  });
});

test('while no control worker answers, the host gives up within its patience, and says what to look at', async () => {
  const job = await aHostJob();

  const asking = hostTokens({ patienceMs: 500 }).tokenFor(job);

  await expect(asking).rejects.toMatchObject({
    code: 'NO_READ_TOKEN',
    message: expect.stringMatching(
      /expected a token to read acme\/infra from the control workers, found: no answer .*; check that one of them runs/,
    ),
  });
});

test('a person who cancels waits for no answer of control', async () => {
  const job = await aHostJob();
  const cancelled = new AbortController();

  const asking = hostTokens().tokenFor(job, cancelled.signal);
  cancelled.abort(new Error('cancelled'));

  await expect(asking).rejects.toThrow('cancelled');
});

test('what goes through Temporal shows no token', async () => {
  const job = await aHostJob();
  let token = '';

  await whileControlRuns({ sealReadToken }, async () => {
    token = await hostTokens().tokenFor(job);
  });

  const { events } = await environment.client.workflow.getHandle(workflowId).fetchHistory();
  const texts = Array.from(JSON.stringify(events).matchAll(/"data":"([^"]+)"/g), ([, data = '']) =>
    Buffer.from(data, 'base64').toString(),
  );
  expect(texts.join('\n')).toContain('"sealed":');
  expect(texts.join('\n')).not.toContain(token);
});

/** As control admits its deployment. */
async function withToken(job: OpenedJob) {
  return { ...job, readToken: await activities.sealReadToken({ version: 1, order: job.order.signed }) };
}

/** As its host opened it. */
async function aHostJob(more: Partial<UnsignedJob> = {}) {
  return openedBy(await withOrder({ ...aJob(), ...more }));
}

function hostTokens(options: Partial<ControlOptions> = {}) {
  return tokensFromControl({
    temporal: environment.client,
    signatures: testSignatures,
    opener: createOpener([createPrivateKey(SEAL_VARIABLES.POOL_SEAL_KEY)]),
    ...options,
  });
}

async function whileControlRuns(activities: ReadTokenActivities, does: () => Promise<void>): Promise<void> {
  const worker = await environment.createWorker({
    taskQueue: CONTROL_QUEUE,
    activities: { answer: inParts(activities) },
  });
  await worker.runUntil(does);
}
