/** `--wait`: the outcome of a deployment is the exit code. */
import { describe, expect, test } from '@jest/globals';
import type { DeploymentStatus } from '@nereid/domain/deployment';
import { aConsole, REPOSITORY, RUNNING } from '@nereid/console/testing';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import { controlThat } from './testing/fake-control.ts';
import { nereidInside, startNereid } from './testing/run.ts';

const ID = RUNNING.id;
const DEPLOY = ['deploy', 'acme/infra', RUNNING.revision.sha, 'network', '--wait'];
const ordered = controlThat({ deployments: [{ id: ID, rootName: 'network' }] });

test('says what it waits for and where to review it, and ends once it is applied', async () => {
  const review = aDeployment({ status: 'awaiting-review', plan: aPlan() });
  const console = await aConsole({ isLocal: true, requests: ordered, lane: { running: review } });

  const nereid = startNereid(DEPLOY, { console });
  await nereid.prints(/nereid confirm acme\/infra\/network/);
  await end(console, 'succeeded');
  const { status, stdout, stderr } = await nereid.ended;

  expect(status).toBe(0);
  expect(stdout).toBe('@alice did it.\nacme/infra/network: succeeded: 1 added, 0 changed, 2 destroyed\n');
  expect(stderr).toContain('acme/infra/network: awaiting-review: 2 to add, 1 to change, 2 to destroy\n');
  expect(stderr).toContain(`review it at ${console.url}/deployments/${ID}?lane=acme%2Finfra%2Fnetwork\n`);
});

test('says what goes first', async () => {
  const other = { ...aDeployment({ status: 'awaiting-review', plan: aPlan() }), id: 'other' };
  const lane = { running: other, merged: [aDeployment({ status: 'queued' })] };
  const statuses = new Map([['other', 'awaiting-review' as const]]);
  const console = await aConsole({ isLocal: true, requests: ordered, lane, statuses });

  const nereid = startNereid(DEPLOY, { console });

  await nereid.prints(/queued: 1 ahead: Waiting for a review/);
});

test('gives up after --timeout, and says what goes on', async () => {
  const console = await aConsole({ isLocal: true, requests: ordered, lane: { running: RUNNING } });

  const { status, stderr } = await nereidInside([...DEPLOY, '--timeout', '1s'], { console });

  expect([status, stderr]).toEqual([
    7,
    expect.stringContaining('no end within 1s: the deployment goes on, and nereid logs -f follows it'),
  ]);
});

describe('the exit code', () => {
  test.each<[DeploymentStatus, number]>([
    ['succeeded', 0],
    ['no-changes', 0],
    ['skipped', 0],
    ['plan-failed', 6],
    ['rejected', 6],
    ['expired', 6],
    ['apply-failed', 6],
    ['apply-outcome-unknown', 6],
    ['cancelled', 6],
    ['refused', 6],
    ['host-lost', 6],
  ])('a wait that ends as %s has the exit code %d', async (status, code) => {
    const console = await aConsole({
      isLocal: true,
      requests: ordered,
      lane: { running: aDeployment({ status: 'queued' }) },
    });
    await end(console, status);

    expect(await nereidInside(DEPLOY, { console })).toMatchObject({ status: code });
  });

  test('of several roots is that of a failure, if there is one', async () => {
    const failed = '11111111-0d4b-4e7a-9c55-1f0e6b7a2d90';
    const deployments = [ID, failed].map((id) => ({ id, rootName: 'network' }));
    const requests = controlThat({ deployments });
    const console = await aConsole({ isLocal: true, requests, lane: { running: RUNNING } });
    await end(console, 'succeeded');
    await end(console, 'apply-failed', failed);

    const args = ['deploy', 'acme/infra', RUNNING.revision.sha, 'network', 'network', '--wait', '--json'];
    const { status, stdout } = await nereidInside(args, { console });

    expect(status).toBe(6);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { state?: string; id?: string });
    expect(lines.map(({ state, id }) => state ?? id).toSorted()).toEqual(['accepted', failed, ID].toSorted());
  });

  test('of a root that was not deployed with the others is a failure', async () => {
    const console = await aConsole({ isLocal: true, requests: ordered, lane: { running: RUNNING } });
    await end(console, 'succeeded');

    const args = ['deploy', 'acme/infra', RUNNING.revision.sha, 'network', 'stopped', '--wait'];

    expect(await nereidInside(args, { console })).toMatchObject({ status: 6 });
  });

  test('of a deployment that another one contains is the other’s', async () => {
    const carrier = '11111111-0d4b-4e7a-9c55-1f0e6b7a2d90';
    const console = await aConsole({ isLocal: true, requests: ordered, lane: { running: RUNNING } });
    const skipped = {
      ...aDeployment({ status: 'skipped' }),
      carrier: { deploymentId: carrier, revision: 'c'.repeat(40) },
    };
    await console.records.write({ version: 1, repository: REPOSITORY, deployment: skipped, endedAt: NOW });
    await end(console, 'apply-failed', carrier);

    const { status, stderr } = await nereidInside(DEPLOY, { console });

    expect([status, stderr]).toEqual([6, expect.stringContaining(`goes with deployment ${carrier}`)]);
  });
});

describe('after a confirmation', () => {
  const REVIEW = aDeployment({ status: 'awaiting-review', plan: aPlan() });
  const CONFIRM = ['confirm', 'acme/infra/network', '--yes', '--wait'];

  test('ends at once when another plan waits for a review: its own sentence and exit code', async () => {
    const reason = 'Planned again: the state changed since the plan was made';
    const again = aDeployment({ status: 'awaiting-review', plan: aPlan({ digest: 'f'.repeat(64) }), reason });
    const control = controlThat({});
    const console = await aConsole({
      isLocal: true,
      lane: { running: REVIEW },
      requests: {
        ...control,
        async make(asked) {
          await console.becomes({ running: again });
          return control.make(asked);
        },
      },
    });

    const { status, stderr } = await nereidInside(CONFIRM, { console });

    expect(status).toBe(8);
    expect(stderr).toContain(`  ${reason}\n`);
    expect(stderr).toMatch(
      /^acme\/infra\/network was planned again, and waits for a review: nereid confirm acme\/infra\/network$/m,
    );
  });

  test('asks nobody to review the plan that was confirmed while it waits for its apply', async () => {
    const console = await aConsole({ isLocal: true, lane: { running: REVIEW }, requests: controlThat({}) });

    const { status, stderr } = await nereidInside([...CONFIRM, '--timeout', '1s'], { console });

    expect(status).toBe(7);
    expect(stderr).not.toContain('review it at');
  });
});

test('goes on when the console starts again', async () => {
  const console = await aConsole({ isLocal: true, requests: ordered, lane: { running: RUNNING } });

  const nereid = startNereid(DEPLOY, { console });
  await nereid.prints(/planning/);
  await console.close();
  await nereid.prints(/still waiting/);
  await console.close();
  await console.another('instead');
  await end(console, 'succeeded');

  expect(await nereid.ended).toMatchObject({ status: 0 });
});

const NOW = new Date().toISOString();

async function end(
  { records }: Pick<Awaited<ReturnType<typeof aConsole>>, 'records'>,
  status: DeploymentStatus,
  id: string = ID,
): Promise<void> {
  const applied = { added: 1, changed: 0, destroyed: 2, imported: 0 };
  const deployment = { ...aDeployment({ status, plan: aPlan(), ...(status === 'succeeded' && { applied }) }), id };
  await records.write({ version: 1, repository: REPOSITORY, deployment, endedAt: NOW });
}
