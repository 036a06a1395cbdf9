/**
 * The commit that a root has from Nereid, by what storage knows: nobody who reaches Temporal can write there. Everything that a
 * revision has and this commit lacks comes with a deployment of the revision.
 */
import { isAwaited, placeOf, policyFor, protectionRulesOf, settingsFor } from '@nereid/config';
import type { Deployment } from '@nereid/domain/deployment';
import { type LaneTurn, isDeployed } from '@nereid/domain/lane';
import { fullName, type Repository, type Root } from '@nereid/domain/root';
import pMap from 'p-map';
import type { WorkerContext } from '../../platform/context.ts';

type Records = Pick<WorkerContext, 'laneTurns' | 'begunApplies' | 'deploymentRecords'>;

/**
 * The revision of the last deployment with success before this one, also under the root's former name; of a root that has none,
 * the commit before the first one that Nereid was to deploy. Undefined where neither is known.
 */
export async function lastDeployed(
  records: Records,
  repository: Repository,
  { id, root, formerly }: Deployment,
): Promise<string | undefined> {
  const names = [root.name, ...(formerly ? [formerly.rootName] : [])];
  const turns = await Promise.all(names.map((name) => records.laneTurns.read(repository, name)));
  for (const turn of turns) {
    const deployed = turn && (await deployedIn(records, repository, turn, id));
    if (deployed !== undefined) return deployed;
  }
  // The former name was there first.
  return turns.findLast((turn) => turn?.since !== undefined)?.since;
}

async function deployedIn(
  records: Records,
  repository: Repository,
  { last, deployed }: LaneTurn,
  before: string,
): Promise<string | undefined> {
  const isLast = last !== undefined && last.deployment.id !== before && (await hasSucceeded(records, repository, last));
  return (isLast ? last.deployment : deployed)?.revision.sha;
}

async function hasSucceeded(
  { begunApplies, deploymentRecords }: Records,
  repository: Repository,
  { pool, deployment: { id, root } }: NonNullable<LaneTurn['last']>,
): Promise<boolean> {
  const marker = await begunApplies.of(pool).read(id);
  if (marker === undefined || marker.overtakenBy !== undefined) return false;
  if (marker.outcome !== undefined) return marker.outcome.kind === 'applied';
  const record = await deploymentRecords.find(repository, root.name, id);
  return record !== undefined && isDeployed(record.deployment.progress.status);
}

/** Storage answers in tens of milliseconds. */
const AT_ONCE = 20;

/**
 * Remembers for roots that were never to be deployed before where their deployments begin: what is older was not brought by
 * anybody. Only for roots whose rules ask who brought a change, or for which jobs wait: until its lane has a record, nothing else says
 * that a root is to be deployed. Where nobody knows the commit before, such as of a deployment by hand, only that is remembered.
 */
export async function rememberBeginning(
  { laneTurns, server }: Pick<WorkerContext, 'laneTurns' | 'server'>,
  repository: Repository,
  roots: readonly Root[],
  findSince: () => Promise<string | undefined>,
): Promise<void> {
  const policy = policyFor(server.current(), fullName(repository));
  const rules = protectionRulesOf(server.current(), fullName(repository));
  const isWaitedFor = (root: Root) => isAwaited(rules, placeOf(root));
  const asking = roots.filter(
    (root) =>
      isWaitedFor(root) ||
      (policy && settingsFor(policy, placeOf(root)).permissions.confirm?.some(({ notAuthor }) => notAuthor)),
  );
  const since = asking.length === 0 ? undefined : await findSince();
  const begun = since === undefined ? ({ isOrdered: true } as const) : { since };
  await pMap(
    since === undefined ? asking.filter(isWaitedFor) : asking,
    ({ name }) =>
      laneTurns.change(repository, name, (turn) =>
        Promise.resolve(isKnown(turn, begun) ? undefined : { ...turn, ...begun }),
      ),
    { concurrency: AT_ONCE },
  );
}

function isKnown(turn: LaneTurn | undefined, begun: Pick<LaneTurn, 'since' | 'isOrdered'>): boolean {
  if (turn?.last !== undefined || turn?.since !== undefined) return true;
  return begun.isOrdered === true && turn?.isOrdered === true;
}
