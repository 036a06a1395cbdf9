/** Asks and stores, in parallel, everything that is needed before a deployment starts. A part that failed says why. */
import { policyFor } from '@nereid/config';
import { orderOf, type Deployment } from '@nereid/domain/deployment';
import type {
  Admission,
  Admitted,
  Compared,
  Comparison,
  LaneRecord,
  LaneStored,
  Unanswered,
} from '@nereid/domain/lane';
import { closedGates, gateWaitOf, type GateAt, type GateFacts, type GateWait } from '@nereid/domain/gates';
import { defined } from '@nereid/domain/defined';
import { fullName, type Repository } from '@nereid/domain/root';
import type { Commits } from '@nereid/forge';
import { RevisionGoneError } from '@nereid/git';
import { UnstorableRecordError } from '@nereid/storage';
import type { WorkerContext } from '../../platform/context.ts';
import { stopFacts, type StopContext } from '../../root/stop-facts.ts';
import { windowFacts } from '../../root/window-facts.ts';
import { acquireLeases, returnPlanLeases, type LeaseContext } from '../budgets/budget-leases.ts';
import { storeLane } from './lane-record.ts';
import { provenRecord, type ProvenRecordContext } from './proven-record.ts';

type Asked = ProvenRecordContext &
  StopContext &
  LeaseContext &
  Pick<WorkerContext, 'laneRecords' | 'logger' | 'server'> & {
    readonly forge: { readonly commits: Pick<Commits, 'compare'> };
    readonly mirrors: Pick<WorkerContext['mirrors'], 'contained' | 'isKnownAncestor'>;
    /** How the waves of its merge stand. Throws while storage or the forge is away. */
    readonly soakFacts: SoakFactsOf;
  };

/** Of a deployment, and of those that would go with it. */
type SoakFactsOf = (
  repository: Repository,
  deployment: Deployment & { readonly carried: readonly Deployment[] },
  signal: AbortSignal,
) => Promise<GateFacts['soak']>;

/** One line on a check run. */
const WHY_LIMIT = 300;

/** Everybody with read permission sees the check run, but errors of storage are for its operator. */
const NOT_STORED = 'storage does not take it; the log of the worker says why';

/**
 * A deployment that nobody ordered, or that is in no repository of ours, is neither fetched nor looked up at the forge. It goes
 * on as if it were a usual merge: no host plans it, and nobody gives permission to apply it.
 */
export async function admitDeployment(context: Asked, admission: Admission, signal: AbortSignal): Promise<Admitted> {
  const { repository, running: deployment } = admission.record;
  if (deployment === undefined || !(await isOrdered(context, repository, deployment)))
    return unasked(await store(context, admission), admission);
  const closed = await findClosedGate(context, admission.record, deployment, signal);
  if (closed !== undefined) return { stored: await store(context, admission), closed };
  const [stored, comparison, comparisonWithMerge, contained] = await Promise.all([
    store(context, admission),
    compare(context, admission.record, admission.compareWith, signal),
    compare(context, admission.record, admission.compareWithMerge, signal),
    listContained(context, admission, signal),
  ]);
  // It does not start now, and nobody knows when it does.
  const isUnanswered = [comparison, comparisonWithMerge, contained].some((answer) => answer?.kind === 'unanswered');
  if (isUnanswered || stored.kind !== 'stored') await returnPlanLeases(context, { repository, deployment });
  return {
    stored,
    ...(comparison && { comparison }),
    ...(comparisonWithMerge && { comparisonWithMerge }),
    ...(contained && { contained }),
  };
}

/** The gates at the door `plan` of which the lane cannot know. */
async function findClosedGate(
  context: Asked,
  record: LaneRecord,
  running: Deployment,
  signal: AbortSignal,
): Promise<GateWait | undefined> {
  const { repository } = record;
  const { id: deploymentId, root } = running;
  const unlessAway = factsUnlessAway(context, repository);
  const stop = await unlessAway('stop', { stops: [], unreadable: 'away' }, () =>
    stopFacts(context, repository, root, { deploymentId }),
  );
  const { glass } = stop;
  const at = { repository, root, door: 'plan', ...defined({ glass }) } as const;
  const window = windowFacts(context.server.current(), at);
  const soak = await unlessAway('soak', { unreadable: 'away' }, async () => {
    const carried = await findCarried(context, record, running);
    return context.soakFacts(repository, { ...running, carried }, signal);
  });
  const closed = findWait({ stop, window, soak });
  if (closed !== undefined) return closed;
  // Taken last: a deployment that something else holds back leaves the lease to others.
  const budget = await unlessAway('budget', { unreadable: 'away' }, async () => {
    const { facts } = await acquireLeases(context, { repository, deployment: running }, 'plan');
    return facts;
  });
  return findWait({ budget });
}

function findWait(facts: Partial<GateFacts>): GateWait | undefined {
  const waits = closedGates('plan', facts, Date.now()).find((closed) => closed.kind === 'waits');
  return waits && gateWaitOf(waits);
}

/** The activity is not tried again, and storage that is away is no reason to give up a deployment: its lane asks again soon. */
function factsUnlessAway({ logger }: Pick<Asked, 'logger'>, repository: Repository) {
  return async <Name extends GateAt<'plan'>>(
    gate: Name,
    away: GateFacts[Name],
    gather: () => Promise<GateFacts[Name]>,
  ): Promise<GateFacts[Name]> => {
    try {
      return await gather();
    } catch (error) {
      logger.warn({ err: error, repository: fullName(repository), gate }, 'the facts of a gate cannot be gathered');
      return away;
    }
  };
}

/**
 * Those of a wave before it on the branch, whose place it may take. Behind them, it would wait for their waves as well; control asks
 * again for those that went with it before it is applied.
 */
async function findCarried(
  { signatures }: Asked,
  { repository, merged }: LaneRecord,
  { root, trigger, revision }: Deployment,
): Promise<readonly Deployment[]> {
  if (trigger !== 'merge' || root.queue !== 'newest') return [];
  const before = merged.filter((one) => one.together?.waves && one.revision.position <= revision.position);
  const orders = before.map((one) => signatures.openIfGenuine('order/deploy', orderOf(repository, one), {}));
  const known = await Promise.all(orders);
  return before.filter((_one, index) => known[index] !== undefined);
}

async function isOrdered(
  { server, signatures }: Asked,
  repository: Repository,
  deployment: Deployment,
): Promise<boolean> {
  if (policyFor(server.current(), fullName(repository)) === undefined) return false;
  return (await signatures.openIfGenuine('order/deploy', orderOf(repository, deployment), {})) !== undefined;
}

function unasked(stored: Admitted['stored'], { compareWith, compareWithMerge, contains }: Admission): Admitted {
  const usual = { kind: 'compared', comparison: 'ahead' } as const;
  return {
    stored,
    ...(compareWith !== undefined && { comparison: usual }),
    ...(compareWithMerge !== undefined && { comparisonWithMerge: usual }),
    ...(contains && { contained: { kind: 'listed', shas: [] } }),
  };
}

async function store(context: Asked, { record, ifVersion }: Admission): Promise<LaneStored | Unanswered> {
  const { laneRecords, logger } = context;
  try {
    return await storeLane(laneRecords, await provenRecord(context, record), ifVersion);
  } catch (error) {
    const { repository, rootName: root } = record;
    logger.warn({ err: error, repository, root }, 'the record of a lane cannot be stored');
    return error instanceof UnstorableRecordError ? unanswered(error) : { kind: 'unanswered', why: NOT_STORED };
  }
}

async function compare(
  { forge, mirrors }: Asked,
  record: LaneRecord,
  base: string | undefined,
  signal: AbortSignal,
): Promise<Compared | Unanswered | undefined> {
  if (base === undefined) return undefined;
  const { repository } = record;
  const head = headOf(record);
  try {
    const known = await compareKnown(mirrors, repository, { base, head }, signal);
    return { kind: 'compared', comparison: known ?? (await forge.commits.compare(repository, base, head)) };
  } catch (error) {
    return unanswered(error);
  }
}

/** Commits never change, so a mirror that has both knows as well as the forge. Undefined when it lacks one. */
async function compareKnown(
  mirrors: Asked['mirrors'],
  repository: Repository,
  { base, head }: { readonly base: string; readonly head: string },
  signal: AbortSignal,
): Promise<Comparison | undefined> {
  if (base === head) return 'identical';
  const isAhead = await mirrors.isKnownAncestor(repository, base, head, signal);
  if (isAhead === undefined) return undefined;
  if (isAhead) return 'ahead';
  const isBehind = await mirrors.isKnownAncestor(repository, head, base, signal);
  if (isBehind === undefined) return undefined;
  return isBehind ? 'behind' : 'diverged';
}

async function listContained(
  { mirrors }: Asked,
  { record, contains }: Admission,
  signal: AbortSignal,
): Promise<Admitted['contained']> {
  if (contains === undefined) return undefined;
  try {
    return { kind: 'listed', shas: await mirrors.contained(record.repository, headOf(record), contains, signal) };
  } catch (error) {
    // The branch was rewritten, and the server has removed the revision.
    return error instanceof RevisionGoneError ? { kind: 'listed', shas: [] } : unanswered(error);
  }
}

function headOf({ running }: LaneRecord): string {
  return running?.revision.sha ?? '';
}

function unanswered(error: unknown): Unanswered {
  const why = error instanceof Error ? error.message : String(error);
  return { kind: 'unanswered', why: why.slice(0, WHY_LIMIT) };
}
