/**
 * Two pools: the host is one of `dev`, and of `prod` none runs. Somebody who reaches Temporal, and has taken over the host of
 * `dev`, cannot make it a host of `prod`.
 */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { hasEnded, orderOf, type HostJob } from '@nereid/domain/deployment';
import { jobIdOf } from '@nereid/domain/host';
import { NO_CHANGES } from '@nereid/domain/plan';
import { claimQueue, hostQueue } from '@nereid/domain/temporal-names';
import { createSigner, encloseBody, type Signer } from '@nereid/signature';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { openCourier, type Courier } from '../courier/courier.ts';
import { openTerrain, until, type Terrain } from '../faults/terrain.ts';
import { SAMPLE_NAME } from '../sample/repository.ts';
import { SECOND_WORKER } from '../stack/processes.ts';

const NO_HOST = /Waiting for a host of the pool prod: no host is running: start a worker with POOL=prod/;

let terrain: Terrain;
/** Of somebody who reaches Temporal. */
let courier: Courier;
let connection: NativeConnection;
/** The key of the host of `dev`, which they have stolen. */
let dev: Signer;
let stop: (() => Promise<void>)[];
/** The commit whose deployment waits for a host of `prod`. */
let waiting: string;

beforeAll(async () => {
  const pools = { secondWorker: 'dev', roots: { network: 'dev', dns: 'prod' } };
  terrain = await openTerrain(process.env, { hasHostAlone: true, pools });
  courier = await openCourier(terrain.stack.temporalAddress);
  connection = await NativeConnection.connect({ address: terrain.stack.temporalAddress });
  const key = await readFile(path.join(terrain.stack.folders.secrets, 'pool-dev-key.pem'), 'utf8');
  dev = createSigner(createPrivateKey(key));
  stop = [];
});

afterEach(async () => {
  await Promise.all(stop.splice(0).map((end) => end()));
});

afterAll(async () => {
  await connection.close();
  await courier[Symbol.asyncDispose]();
  await terrain.close();
});

test('a root runs on a host of its pool, with a token that was sealed to that pool', async () => {
  const sha = await terrain.push('network', 'of-dev');
  await terrain.confirm('network', sha);

  await terrain.applied('network', sha);

  expect(await terrain.hostOf('network', sha)).toBe(await terrain.hostIdOf(SECOND_WORKER));
});

test('a root of the other pool waits for a host of it, and its check run says so', async () => {
  waiting = await terrain.push('dns', 'of-prod');

  await terrain.says('dns', waiting, NO_HOST);

  expect(await terrain.plans()).not.toContain(waiting);
});

test('a host of dev that is sent work of prod refuses it', async () => {
  const { externalId } = await terrain.seen('dns', waiting, 'a deployment', () => true);
  const { repository, deployment } = await courier.inputOf(externalId);
  const job = { jobId: jobIdOf(externalId, 'plan', 1), order: orderOf(repository, deployment) };

  expect(await courier.ask(claimQueue('dev'), 'claimAndPlan', job)).toMatchObject({
    type: 'FORGED',
    message: expect.stringContaining('found one for the pool prod on a host of dev'),
  });

  expect(await terrain.plans()).not.toContain(waiting);
});

test('a plan of prod that a host of dev has signed is neither shown nor applied', async () => {
  const before = await forged();
  const sha = await terrain.push('dns', 'signed-by-dev');
  const { externalId } = await terrain.seen('dns', sha, 'a deployment', () => true);
  await serve(hostQueue('theirs'), { cleanUpHost: () => Promise.resolve() });

  // In the place of a host of `prod`, as if this one had taken each deployment.
  await serve(claimQueue('prod'), {
    claimAndPlan: async ({ order }: HostJob) => {
      const { id: deploymentId } = order.body;
      const claim = await encloseBody(dev, 'claim/host', { version: 1, deploymentId, hostId: 'theirs' });
      const plan = { digest: 'a1'.repeat(32), hasChanges: true, summary: { ...NO_CHANGES, resources: [], omitted: 0 } };
      const body = { version: 1, deploymentId, order: order.signature, ...plan } as const;
      const outcome = { kind: 'planned', plan: await encloseBody(dev, 'result/plan', body) };
      return { claim, since: new Date().toISOString(), outcome };
    },
  });
  const { workflows } = terrain.scene;
  // It begins once the one before it has ended in the same way.
  const statusOf = () =>
    workflows.progress(externalId).then(
      ({ status }) => status,
      () => 'queued' as const,
    );
  await until('the end of the deployment', async () => hasEnded(await statusOf()));

  expect(await workflows.progress(externalId)).toMatchObject({
    status: 'cancelled',
    reason: expect.stringContaining(
      'expected the result/plan to be signed, found the signature of a key that is not known',
    ),
  });
  expect(await forged()).toBeGreaterThan(before);
  const shown = terrain.stack.github.checkRuns(SAMPLE_NAME, sha).map(({ output }) => output.title);
  expect(shown.join()).not.toMatch(/[Pp]lanned|Applied|to add|to create/);
  expect(await terrain.ledger()).toEqual(['of-dev']);
});

async function serve(taskQueue: string, activities: object): Promise<void> {
  const worker = await Worker.create({ connection, taskQueue, activities });
  const running = worker.run();
  stop.push(async () => {
    worker.shutdown();
    await running;
  });
}

async function forged(): Promise<number> {
  const log = await readFile(path.join(terrain.stack.folders.logs, 'worker.log'), 'utf8');
  return log.split('poses as somebody else').length;
}
