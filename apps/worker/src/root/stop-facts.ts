/** Who has stopped a root at this moment, by what storage holds and control has signed. */
import { isInDirectories, stopFact, type StoppedRoot } from '@nereid/config';
import { ALL_POOLS, glassFor, type GateFacts, type PoolStop, type Stop } from '@nereid/domain/gates';
import type { BreakGlass } from '@nereid/domain/plan';
import { fullName, poolOf, type Repository } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { isUnreadableRecord } from '@nereid/storage';
import { defined } from '@nereid/domain/defined';
import type { WorkerContext } from '../platform/context.ts';

export type StopContext = Pick<WorkerContext, 'signatures' | 'logger'> & {
  readonly stopRecords: Pick<WorkerContext['stopRecords'], 'read' | 'readPools'>;
};

type StopFacts = GateFacts['stop'];
type Named = Pick<Repository, 'owner' | 'name'>;

/**
 * Two reads of storage at once, and none of the forge. A stop that control has not signed stops nothing, and no glass is broken. Of a
 * record that cannot be read, nobody knows.
 */
export async function stopFacts(
  context: StopContext,
  { owner, name }: Repository,
  root: StoppedRoot,
  deployment: Pick<BreakGlass, 'deploymentId' | 'digest'>,
): Promise<StopFacts> {
  const repository = { owner, name };
  const [own, ofPools] = await Promise.all([
    unlessUnreadable(context, { repository }, () => context.stopRecords.read(repository)),
    unlessUnreadable(context, { pool: ALL_POOLS }, () => context.stopRecords.readPools()),
  ]);
  // An operator has to mend theirs before anything begins anywhere.
  if ('file' in ofPools) return { stops: [], unreadable: ofPools };
  if ('file' in own) return { stops: [], unreadable: own };
  const [stops, poolStops, glass] = await Promise.all([
    provenStops(context, own.stops, { repository, root }),
    provenPoolStops(context, ofPools.stops, poolOf(root)),
    provenGlass(context, own.glass, repository, deployment),
  ]);
  const now = Date.now();
  return { stops: [...stops, ...poolStops].map((stop) => stopFact(stop, now)), ...defined({ glass }) };
}

/** Of the root. */
async function provenStops(
  { signatures }: StopContext,
  stored: readonly Signed<Stop>[],
  { repository, root }: { readonly repository: Named; readonly root: StoppedRoot },
): Promise<readonly Stop[]> {
  const opened = await Promise.all(stored.map((one) => signatures.openIfGenuine('decision/stop', one, { repository })));
  const proven = opened.flatMap((one) => (one === undefined ? [] : [one.body]));
  return proven.filter(({ directories }) => isInDirectories(directories, root));
}

/** Of the pool, or of all. */
async function provenPoolStops(
  { signatures }: StopContext,
  stored: readonly Signed<PoolStop>[],
  ownPool: string,
): Promise<readonly PoolStop[]> {
  const about = stored.filter(({ body }) => body.pool === ownPool || body.pool === ALL_POOLS);
  const opened = await Promise.all(
    about.map((one) => signatures.openIfGenuine('decision/pool-stop', one, { pool: one.body.pool })),
  );
  return opened.flatMap((one) => (one === undefined ? [] : [one.body]));
}

async function provenGlass(
  { signatures }: StopContext,
  stored: readonly Signed<BreakGlass>[],
  repository: Named,
  deployment: Pick<BreakGlass, 'deploymentId' | 'digest'>,
): Promise<Signed<BreakGlass> | undefined> {
  const { deploymentId } = deployment;
  const own = stored.filter(({ body }) => body.deploymentId === deploymentId);
  const opened = await Promise.all(
    own.map((one) => signatures.openIfGenuine('decision/break-glass', one, { repository, deploymentId })),
  );
  const proven = opened.flatMap((one) => (one === undefined ? [] : [one.body]));
  const found = glassFor(proven, deployment, Date.now());
  return own.find(({ body }) => body.requestId === found?.requestId);
}

type Unreadable = Extract<StopFacts['unreadable'], object>;

/** What a record holds, or which one it is that may hold anything. */
async function unlessUnreadable<T extends object>(
  { logger }: StopContext,
  of: { readonly repository: Named } | { readonly pool: string },
  read: () => Promise<T>,
): Promise<T | Unreadable> {
  try {
    return await read();
  } catch (error) {
    if (!isUnreadableRecord(error)) throw error;
    const about = 'repository' in of ? fullName(of.repository) : of.pool;
    logger.warn({ err: error, of: about }, 'a record of stops cannot be read');
    return { ...of, file: error.key };
  }
}
