import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { laneWorkflowId } from '@nereid/domain/lane';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { isJobAuditEvent } from '@nereid/domain/trail';
import type { CheckRun } from '@nereid/github-stand-in';
import { UNSEALED } from '@nereid/process';
import { replayHistories } from '@nereid/test-kit/replay';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOTS, SAMPLE, SAMPLE_NAME, type RootName } from '../sample/repository.ts';
import { backUpDatabase, removeDatabase, restoreDatabase, whileTemporalIsAway } from './temporal-database.ts';
import { openTerrain, until, type Terrain } from './terrain.ts';

/** After a restore, Temporal waits a minute for the heartbeats of a lost apply, besides the deployments before it. */
jest.setTimeout(600_000);

let terrain: Terrain;

beforeAll(async () => {
  terrain = await openTerrain(process.env);
});

afterAll(() => terrain.close());

/** Kills the worker and starts it again, so that it creates the schedules and drops its work for the earlier Temporal. */
async function restartWorker(): Promise<void> {
  await terrain.stack.holdDown('worker');
  await terrain.stack.letUp('worker');
  await terrain.listens();
}

async function deploy(root: RootName, name: string): Promise<string> {
  const sha = await terrain.push(root, name);
  // In the sample, `dns` is applied without a review.
  if (root !== 'dns') await terrain.confirm(root, sha);
  await terrain.applied(root, sha);
  return sha;
}

function locked(root: RootName, sha: string, by: string) {
  const lock = `Locked by a manual deployment of ${by.slice(0, 7)} by @alice`;
  return terrain.seen(root, sha, `"${lock}", with a button Unlock`, ({ output, actions }) => {
    return (output.title ?? '').includes(lock) && actions.some(({ label }) => label === 'Unlock');
  });
}

function queued(root: RootName, sha: string) {
  return terrain.seen(root, sha, 'queued', ({ output }) => output.title?.startsWith('Queued') === true);
}

/** The check run says still that the commit was applied, and the audit trail has one apply. */
async function staysApplied(root: RootName, sha: string): Promise<void> {
  const { externalId } = await terrain.applied(root, sha);
  await terrain.isAudited(externalId, ['RUNNING', 'SUCCESS']);
}

/** A plan in review; `confirm` is the identifier of its button, which differs for each plan. */
interface AskedPlan {
  readonly sha: string;
  readonly externalId: string;
  readonly confirm: string;
}

async function askedPlanOf(root: RootName, sha: string): Promise<AskedPlan> {
  const run = await terrain.scene.planned({ root, sha });
  return { sha, externalId: run.externalId, confirm: confirmOf(run) ?? '' };
}

/** Another plan of the same deployment, once it is the only one that can be confirmed. */
async function askedAgain(root: RootName, { sha, externalId, confirm }: AskedPlan): Promise<Readonly<CheckRun>> {
  const again = await terrain.seen(root, sha, 'another plan that a person is asked about', (run) => {
    return run.externalId === externalId && ![undefined, confirm].includes(confirmOf(run));
  });
  await until('the earlier button to be gone', () =>
    Promise.resolve(terrain.scene.github.checkRuns(SAMPLE_NAME, sha).every((run) => confirmOf(run) !== confirm)),
  );
  return again;
}

function confirmOf({ actions }: Readonly<CheckRun>): string | undefined {
  return actions.find(({ label }) => label === 'Confirm')?.identifier;
}

async function expectAppliedOnce(...names: readonly string[]): Promise<void> {
  const ledger = await terrain.ledger();
  expect(ledger.filter((entry) => names.includes(entry)).toSorted()).toEqual(names.toSorted());
}

/** The states in the audit trail of each apply that does not have exactly one end. */
async function unaccounted(): Promise<readonly string[]> {
  // An event that was stored again has the same id.
  const events = new Map((await terrain.stack.storage.auditTrail()).map((event) => [event.id, event]));
  return [...Map.groupBy([...events.values()].filter(isJobAuditEvent), ({ jobId }) => jobId)].flatMap(
    ([jobId, ofJob]) => {
      const [first, ...ends] = ofJob.map(({ state }) => state);
      return first === 'RUNNING' && ends.length === 1 ? [] : `${jobId}: ${ofJob.map(({ state }) => state).join(', ')}`;
    },
  );
}

/** Checks the rules that must hold whatever happened to Temporal. */
async function expectAllAccountedFor(): Promise<void> {
  const ledger = await terrain.ledger();
  expect(new Set(ledger).size).toBe(ledger.length);
  // GitHub learns of an end before the audit trail does.
  await until('one end of each apply in the audit trail', async () => (await unaccounted()).length === 0);
  const { workflows, failures } = await replayHistories(terrain.stack.temporalAddress, UNSEALED);
  expect(failures).toEqual([]);
  expect(workflows).toBeGreaterThan(ROOTS.length);
}

describe("without Temporal's database", () => {
  let manual: string;
  let merged: string;
  let asked: AskedPlan;
  let applying: string;
  let over: string;

  beforeAll(async () => {
    manual = await terrain.byHand('network', 'by-hand');
    await terrain.confirm('network', manual);
    await terrain.applied('network', manual);
    merged = await terrain.push('network', 'behind-the-lock');
    await locked('network', merged, manual);
    asked = await askedPlanOf('database', await terrain.push('database', 'in-review'));
    applying = await terrain.push('service', 'goes-on', { isHeld: true });
    await terrain.confirm('service', applying);
    await terrain.applyBegins('goes-on');
    over = await deploy('dns', 'just-ended');

    await whileTemporalIsAway(terrain.stack, () => removeDatabase(terrain.stack));
    await restartWorker();
  });

  test('a deployment in review is planned and asked again, and what was asked before can be pressed no more', async () => {
    terrain.scene.press(await askedAgain('database', asked), 'Confirm', 'alice');

    await terrain.applied('database', asked.sha);
    await expectAppliedOnce('in-review');
  });

  test('an apply that goes on is not begun again: its outcome is unknown, and its lane locked until Unlock', async () => {
    const unknown = await terrain.seen('service', applying, 'outcome unknown', ({ conclusion }) => {
      return conclusion === 'timed_out';
    });
    await terrain.isAudited(unknown.externalId, ['RUNNING', 'UNKNOWN']);
    const next = await terrain.push('service', 'after-unknown');
    await terrain.seen('service', next, 'waits for the lock', ({ actions }) => actions[0]?.label === 'Unlock');
    await terrain.letEnd('goes-on');
    await terrain.applyEnds('goes-on');

    terrain.scene.press(unknown, 'Unlock', 'alice');

    await terrain.confirm('service', next);
    await terrain.applied('service', next);
    await expectAppliedOnce('goes-on', 'after-unknown');
  });

  test('a lane that was locked is locked, until Unlock lets go what waits', async () => {
    terrain.scene.press(await locked('network', merged, manual), 'Unlock', 'alice');

    await terrain.confirm('network', merged);
    await terrain.applied('network', merged);
    await expectAppliedOnce('by-hand', 'behind-the-lock');
  });

  test('what had just ended stays as it ended', async () => {
    const { externalId } = await terrain.applied('dns', over);

    await terrain.isAudited(externalId, ['RUNNING', 'SUCCESS']);
    await expectAppliedOnce('just-ended');
  });

  test('the next push of every root is applied, and all is accounted for', async () => {
    const names = ROOTS.map((root) => `after-the-loss-of-${root}`);
    for (const root of ROOTS) await deploy(root, `after-the-loss-of-${root}`);

    await expectAppliedOnce(...names);
    await expectAllAccountedFor();
  });
});

describe("without Temporal's database for a second time", () => {
  let applying: Readonly<CheckRun>;

  beforeAll(async () => {
    const { stack } = terrain;
    const sha = await terrain.push('service', 'ends-meanwhile', { isHeld: true });
    applying = await terrain.scene.planned({ root: 'service', sha });
    terrain.scene.press(applying, 'Confirm', 'alice');
    await terrain.applyBegins('ends-meanwhile');

    await whileTemporalIsAway(stack, async () => {
      await removeDatabase(stack);
      await terrain.letEnd('ends-meanwhile');
      const marker = path.join(stack.folders.storage, 'begun', DEFAULT_POOL, applying.externalId);
      await until('the outcome in storage', async () => (await readFile(marker, 'utf8')).includes('"outcome"'));
    });
    await stack.restart('worker');
  });

  test('an apply that ended meanwhile ended as its host says', async () => {
    const { externalId } = await terrain.applied('service', applying.headSha);

    expect(externalId).toBe(applying.externalId);
    await terrain.isAudited(externalId, ['RUNNING', 'SUCCESS']);
    await expectAppliedOnce('ends-meanwhile');
  });

  test('a lane without work rests until its next push, which is applied', async () => {
    expect(await terrain.scene.workflows.isThere(laneWorkflowId(SAMPLE, 'network'))).toBe(false);

    const names = ROOTS.map((root) => `after-another-loss-of-${root}`);
    for (const root of ROOTS) await deploy(root, `after-another-loss-of-${root}`);

    await expectAppliedOnce(...names);
    await expectAllAccountedFor();
  });
});

describe('with a backup of Temporal put in the place of its database', () => {
  let manual: string;
  let asked: AskedPlan;
  const database = { first: '', manual: '', waiting: '' };
  const dns = { first: '', waiting: '' };

  beforeAll(async () => {
    const { stack } = terrain;
    // The backup contains a plan in review and an apply, each with a merge behind it, and two lanes at rest.
    database.first = await terrain.push('database', 'review-of-the-backup');
    await terrain.scene.planned({ root: 'database', sha: database.first });
    database.manual = await terrain.byHand('database', 'by-hand-behind-the-review');
    await queued('database', database.manual);
    database.waiting = await terrain.push('database', 'behind-the-review');
    dns.first = await terrain.push('dns', 'apply-of-the-backup', { isHeld: true });
    await terrain.applyBegins('apply-of-the-backup');
    dns.waiting = await terrain.push('dns', 'behind-the-apply');
    await queued('database', database.waiting);
    await queued('dns', dns.waiting);
    await whileTemporalIsAway(stack, () => backUpDatabase(stack));
    await terrain.listens();

    // The backup does not contain the rest.
    await terrain.letEnd('apply-of-the-backup');
    await terrain.applied('dns', dns.waiting);
    await deploy('dns', 'after-the-backup');
    await terrain.confirm('database', database.first);
    await terrain.confirm('database', database.manual);
    terrain.scene.press(await locked('database', database.waiting, database.manual), 'Unlock', 'alice');
    await terrain.confirm('database', database.waiting);
    await terrain.applied('database', database.waiting);
    manual = await terrain.byHand('network', 'by-hand-after-the-backup');
    await terrain.confirm('network', manual);
    await terrain.applied('network', manual);
    asked = await askedPlanOf('service', await terrain.push('service', 'review-after-the-backup'));

    // A worker that lived through it would go on with workflows whose newest steps the backup does not know.
    await stack.holdDown('worker');
    await whileTemporalIsAway(stack, () => restoreDatabase(stack));
    await stack.letUp('worker');
    await terrain.listens();
  });

  test('the lock of a manual deployment that the backup does not know holds up the next merge', async () => {
    const merged = await terrain.push('network', 'after-that-lock');

    terrain.scene.press(await locked('network', merged, manual), 'Unlock', 'alice');

    await terrain.confirm('network', merged);
    await terrain.applied('network', merged);
    await expectAppliedOnce('by-hand-after-the-backup', 'after-that-lock');
  });

  test('deployments that wait again, and were applied since, hold up nobody and set no lock again', async () => {
    await deploy('database', 'after-that-review');

    await staysApplied('database', database.first);
    await staysApplied('database', database.manual);
    await staysApplied('database', database.waiting);
    await expectAppliedOnce(
      'review-of-the-backup',
      'by-hand-behind-the-review',
      'behind-the-review',
      'after-that-review',
    );
  });

  test('an apply that ended since, and the merge behind it, are not applied again, in the place of later ones', async () => {
    await deploy('dns', 'after-that-apply');

    await staysApplied('dns', dns.first);
    await staysApplied('dns', dns.waiting);
    await expectAppliedOnce('apply-of-the-backup', 'behind-the-apply', 'after-the-backup', 'after-that-apply');
  });

  test('a review that the backup does not know is asked again with the next push, which waits behind it', async () => {
    const next = await terrain.push('service', 'behind-that-review');

    terrain.scene.press(await askedAgain('service', asked), 'Confirm', 'alice');
    await terrain.confirm('service', next);

    await terrain.applied('service', next);
    await expectAppliedOnce('review-after-the-backup', 'behind-that-review');
  });

  test('all is accounted for', () => expectAllAccountedFor());
});
