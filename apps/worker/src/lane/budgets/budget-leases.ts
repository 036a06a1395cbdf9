/** The leases of the budgets of the server's file, which control takes before it lets a deployment be planned or applied. */
import { defined } from '@nereid/domain/defined';
import { hasExpired, type Deployment } from '@nereid/domain/deployment';
import {
  askLease,
  freeAt,
  returnLease,
  wakeNext,
  type BudgetDoor,
  type GateFacts,
  type Lease,
  type Leases,
  type Waiter,
} from '@nereid/domain/gates';
import { fullName, poolOf, type Repository } from '@nereid/domain/root';
import { isUnreadableRecord } from '@nereid/storage';
import pMap from 'p-map';
import type { WorkerContext } from '../../platform/context.ts';
import { askAgain, type RingContext } from '../ask-again.ts';
import { wakeLane } from '../signal-lane.ts';
import { budgetsOf, LEASE_MS, type DoorBudget, type Subject } from './door-budget.ts';
import { hasEnd, isHeld, withoutOver, type HeldRecords } from './is-held.ts';

export type LeaseContext = HeldRecords & RingContext & Pick<WorkerContext, 'budgetLeases' | 'server' | 'logger'>;

export interface AskedLeases {
  readonly facts: GateFacts['budget'];
  /** When the first of them lapses, in epoch milliseconds; absent where it takes none. */
  readonly until?: number;
  /** Gives back those that were taken now, where no permission is given after all. Never throws. */
  readonly giveBack: () => Promise<void>;
}

/** Temporal has others to answer meanwhile. */
const TOLD_AT_ONCE = 10;

const LOGGED_LIMIT = 10;

/**
 * Takes or renews a lease of each budget, in the order of their names; all of them or none. A deployment that waits for one leaves
 * the others to those that can use them.
 */
export async function acquireLeases(context: LeaseContext, subject: Subject, door: BudgetDoor): Promise<AskedLeases> {
  const { repository, deployment } = subject;
  const until = Date.now() + LEASE_MS[door];
  const budgets = await budgetsToTake(context, subject, door);
  const taken: DoorBudget[] = [];
  const { id } = deployment;
  const giveBack = () => unlessItFails(context, repository, [id], () => dropEach(context, taken, id, until));
  try {
    for (const budget of budgets) {
      const { full, isRenewed, woken } = await acquireLease(context, budget, subject, until);
      if (full === undefined && !isRenewed) taken.push(budget);
      await wakeAll(context, door, woken);
      if (full === undefined) continue;
      await giveBack();
      return { facts: { full }, giveBack };
    }
  } catch (error) {
    await giveBack();
    if (!isUnreadableRecord(error)) throw error;
    const fields = { err: error, repository: fullName(repository), deployment: deployment.id };
    context.logger.warn(fields, 'the leases of a budget cannot be read');
    return { facts: { unreadable: 'broken' }, giveBack };
  }
  return { facts: {}, ...(budgets.length > 0 && { until }), giveBack };
}

/**
 * An order that was delivered again, by Temporal or by whoever reaches it, takes none: nothing of it is planned any more. Whoever gives
 * permission to apply has refused it by then.
 */
async function budgetsToTake(
  context: LeaseContext,
  subject: Subject,
  door: BudgetDoor,
): Promise<readonly DoorBudget[]> {
  const { repository, deployment } = subject;
  const budgets = budgetsOf(context.server.current(), subject, door);
  if (door === 'apply' || budgets.length === 0) return budgets;
  if (hasExpired(deployment, Date.now())) return [];
  return (await hasEnd(context, repository, deployment.root.name, deployment.id)) ? [] : budgets;
}

/** Gives back what deployments have that are over. Never throws: a lease lapses, and what waits asks again by itself. */
export async function returnLeases(
  context: LeaseContext,
  repository: Repository,
  ended: readonly Deployment[],
): Promise<void> {
  await returnAtDoor(context, { repository, ended, door: 'plan' }, () => Promise.resolve(false));
  await returnAtDoor(context, { repository, ended, door: 'apply' }, (lease) =>
    isHeld(context, 'apply', lease, Date.now()),
  );
}

/** Gives back those of the last apply of a lane, once a person has settled an outcome that nobody knew. Never throws. */
export async function returnSettled(context: LeaseContext, repository: Repository, rootName: string): Promise<void> {
  await unlessItFails(context, repository, [], async () => {
    const last = (await context.laneTurns.read(repository, rootName))?.last;
    const ended = last && (await context.deploymentRecords.find(repository, rootName, last.deployment.id));
    if (ended) await returnLeases(context, repository, [ended.deployment]);
  });
}

/** Gives back those of a plan that is made. Never throws. */
export async function returnPlanLeases(context: LeaseContext, { repository, deployment }: Subject): Promise<void> {
  await returnAtDoor(context, { repository, ended: [deployment], door: 'plan' }, () => Promise.resolve(false));
}

/** A merge may end all that waited before it: each budget is asked once. */
async function returnAtDoor(
  context: LeaseContext,
  asked: { readonly repository: Repository; readonly ended: readonly Deployment[]; readonly door: BudgetDoor },
  isNeeded: (lease: Lease) => Promise<boolean>,
): Promise<void> {
  const { repository, ended, door } = asked;
  const server = context.server.current();
  const all = ended.flatMap((deployment) =>
    budgetsOf(server, { repository, deployment }, door).map((budget) => ({ budget, id: deployment.id })),
  );
  for (const same of Map.groupBy(all, ({ budget }) => budget.name).values()) {
    const ids = same.map(({ id }) => id);
    const [first] = same;
    if (first === undefined) continue;
    await unlessItFails(context, repository, ids, () => dropLeases(context, first.budget, ids, isNeeded));
  }
}

async function unlessItFails(
  { logger }: LeaseContext,
  repository: Repository,
  deployments: readonly string[],
  giveBack: () => Promise<void>,
): Promise<void> {
  try {
    await giveBack();
  } catch (error) {
    const fields = { err: error, repository: fullName(repository), deployments: deployments.slice(0, LOGGED_LIMIT) };
    logger.warn(fields, 'the lease of a budget could not be given back');
  }
}

interface Taken {
  readonly full?: NonNullable<GateFacts['budget']['full']>;
  readonly isRenewed: boolean;
  readonly woken: readonly Waiter[];
}

async function acquireLease(
  context: LeaseContext,
  budget: DoorBudget,
  { repository: { owner, name: ofOwner }, deployment }: Subject,
  untilMs: number,
): Promise<Taken> {
  const { id: deploymentId, root, orderedAt, receivedAt } = deployment;
  const repository = { owner, name: ofOwner };
  const asker = { deploymentId, repository, rootName: root.name, pool: poolOf(root), since: orderedAt ?? receivedAt };
  const until = new Date(untilMs).toISOString();
  return context.budgetLeases.change(budget, async (stored) => {
    const now = Date.now();
    const found = await withoutOver(context, stored, budget, now);
    const asked = askLease(found, asker, { until, quota: budget, now });
    const { leases, woken } = wakeNext(asked.leases, budget, now);
    const others = leases.leases.filter((one) => fullName(one.repository) !== fullName(repository));
    const own = leases.leases.filter((one) => !others.includes(one));
    const { name, door, limit } = budget;
    const full = {
      ...{ name, door, limit, ...defined({ freeAt: freeAt(leases, deploymentId, budget, now) }) },
      holders: own.map((one) => ({ rootName: one.rootName, deploymentId: one.deploymentId })),
      others: others.length,
      ahead: asked.ahead,
    };
    const told = woken.filter((one) => one.deploymentId !== deploymentId);
    const { isRenewed } = asked;
    return { ...(!isSame(leases, stored) && { leases }), isRenewed, woken: told, ...(!asked.isGranted && { full }) };
  });
}

/** No permission was given with them. One that another request has renewed meanwhile may have its own permission. */
async function dropEach(
  context: LeaseContext,
  budgets: readonly DoorBudget[],
  deploymentId: string,
  untilMs: number,
): Promise<void> {
  const isRenewed = ({ until }: Lease) => Promise.resolve(Date.parse(until) !== untilMs);
  for (const budget of budgets) await dropLeases(context, budget, [deploymentId], isRenewed);
}

/** With their places among those that wait. Tells the next ones. */
async function dropLeases(
  context: LeaseContext,
  budget: DoorBudget,
  deploymentIds: readonly string[],
  isNeeded: (lease: Lease) => Promise<boolean>,
): Promise<void> {
  const { woken } = await context.budgetLeases.change(budget, async (stored) => {
    let left = stored;
    for (const id of deploymentIds) {
      const lease = stored.leases.find(({ deploymentId }) => deploymentId === id);
      if (lease === undefined || !(await isNeeded(lease))) left = returnLease(left, id);
    }
    const { leases, woken: told } = wakeNext(left, budget, Date.now());
    return { ...(!isSame(leases, stored) && { leases }), woken: told };
  });
  await wakeAll(context, budget.door, woken);
}

/** Of plain data. */
function isSame(one: Leases, other: Leases): boolean {
  const parts = ({ leases, waiting, served }: Leases) => JSON.stringify(defined({ leases, waiting, served }));
  return parts(one) === parts(other);
}

/** A deployment that is not told asks by itself. Its lane has it planned; its own workflow has it applied. */
async function wakeAll(context: LeaseContext, door: BudgetDoor, woken: readonly Waiter[]): Promise<void> {
  await pMap(
    woken,
    async ({ deploymentId, repository, rootName }) => {
      try {
        await (door === 'plan' ? wakeLane(context, repository, rootName) : askAgain(context, deploymentId));
      } catch (error) {
        context.logger.warn({ err: error, deployment: deploymentId }, 'a deployment could not be told of a free lease');
      }
    },
    { concurrency: TOLD_AT_ONCE },
  );
}
