/** A console with something on every page, for the tests and the people who look at pages. */
import type { Deployment, EndedStatus, LaneRecord, Undeployed } from '@nereid/contracts';
import { aDeployment, aLock, aPlan, aRoot } from '@nereid/github/testing';
import { createHostRecords } from '@nereid/storage';
import { aConsole, aControl, aLaneRecord, JOB, REPOSITORY, RUNNING } from './testing.ts';

const HOUR_MS = 3_600_000;

const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

/** The commits of its branch, the newest first. */
const COMMITS = [
  'Let the database be reached from the new subnets',
  'שינוי טווח הכתובות של הרשת',
  'Widen the network, and give each zone a subnet of its own so that nothing has to be moved when the next region comes',
  'Add a bucket',
  'Rename the zone',
] as const;

function commit(index: number): Deployment['revision'] {
  const sha = index === 0 ? RUNNING.revision.sha : String(index).repeat(40);
  return { sha, branch: 'main', position: 50 - index, title: COMMITS[index] ?? '', author: 'alice' };
}

/** A review that is asked of one person, with a queue and a past; lanes that are locked, wait for it, and are left undeployed. */
export async function aFullConsole(): Promise<string> {
  const running = atTheGate();
  const { progress } = running;
  const { requests } = aControl();
  const lane = { running, merged: [queued('queued', 1)], latest: deployed(4), undeployed: [left(3, 'rejected')] };
  const statuses = new Map([[running.id, progress.status]]);
  const console = await aConsole({ isLocal: true, lane, live: lane, statuses, progress, requests });
  const { lanes, records, store, url, writeLog } = console;
  const others: Readonly<Record<string, Partial<LaneRecord>>> = {
    database: { lock: { ...aLock(), at: ago(20) }, merged: [queued('behind-the-lock', 0)], latest: deployed(4) },
    dns: { latest: deployed(4), undeployed: [left(2, 'rejected'), left(1, 'plan-failed')] },
    'load-balancer-of-the-public-website': { merged: [queued('held', 0, HELD)], latest: deployed(1) },
    storage: { latest: deployed(0) },
  };
  for (const [rootName, record] of Object.entries(others))
    await lanes.write({ ...aLaneRecord(record), rootName }, null);
  for (const [index, [status, of, rootName]] of ENDED.entries()) {
    const root = { ...aRoot(), name: rootName };
    const carrier = { deploymentId: 'ended-0', revision: commit(1).sha };
    const deployment = {
      ...{ ...aDeployment({ status, plan: aPlan() }), id: `ended-${index}`, root, revision: commit(of) },
      receivedAt: ago(2 * index + 2),
      ...(status === 'skipped' && { carrier }),
    };
    await records.write({ version: 1, repository: REPOSITORY, deployment, endedAt: ago(index + 1) });
  }
  const host = { version: 1, hostId: 'h1', slots: { total: 4, used: 1 }, draining: false, at: ago(30) } as const;
  await createHostRecords(store).write(host);
  await writeLog('\u001b[31mdestroyed\u001b[0m\n');
  return url;
}

const ENDED: readonly (readonly [status: EndedStatus, of: number, rootName: string])[] = [
  ['succeeded', 1, 'network'],
  ['skipped', 2, 'network'],
  ['apply-failed', 3, 'network'],
  ['rejected', 4, 'network'],
  ['no-changes', 0, 'storage'],
  ['plan-failed', 1, 'dns'],
];

const HELD = 'waits for network, which awaits its review';

function atTheGate(): Deployment {
  const plan = aPlan({ expiresAt: ago(-166) });
  const times = { queued: ago(3), planning: ago(2.5), 'awaiting-review': ago(2) };
  const { progress } = aDeployment({ status: 'awaiting-review', plan, jobs: { plan: JOB }, times });
  const root = { ...aRoot(), permissions: { confirm: [{ users: ['bob'] }] } };
  return { ...RUNNING, root, revision: commit(0), progress, receivedAt: ago(3) };
}

function queued(id: string, index: number, reason?: string): Deployment {
  const progress = aDeployment({ status: 'queued', ...(reason !== undefined && { reason }) }).progress;
  return {
    ...{ ...RUNNING, id, revision: commit(index), progress, receivedAt: ago(1) },
    ...(reason !== undefined && { rollout: 'one' }),
  };
}

function deployed(index: number): NonNullable<LaneRecord['latest']> {
  const { sha: revision, position: branchPosition } = commit(index);
  return { deploymentId: 'd', revision, trigger: 'merge', status: 'succeeded', at: ago(70), branchPosition };
}

function left(index: number, status: EndedStatus): Undeployed {
  const { sha, position, title } = commit(index);
  return {
    ...{ deploymentId: `left-${index}`, revision: { sha, position, title }, trigger: 'merge', rerun: false },
    ...{ requestedBy: 'alice', status, at: ago(5) },
    ...(status === 'plan-failed' && { reason: 'Error: Reference to undeclared resource' }),
  };
}
