/** The stops that are about a root, as facts of the gate `stop`. Whoever asks has verified them. */
import type { GateFacts, PoolStop, Stop } from '@nereid/domain/gates';
import { ALL_POOLS } from '@nereid/domain/gates';
import { fullName, poolOf, type Repository, type Root } from '@nereid/domain/root';
import { placeOf } from '../glob.ts';
import { isInScope } from '../scope/scope.ts';
import { describeTime } from '../windows/describe-window.ts';

type StopFact = GateFacts['stop']['stops'][number];

/** The parts of a root that a stop may name. */
export type StoppedRoot = Pick<Root, 'name' | 'dir' | 'realDir' | 'pool'>;

/** People of all zones read it. */
const ZONE = 'UTC';

/** `now` is in epoch milliseconds. */
export function stopFact({ by, reason, until, ...body }: Stop | PoolStop, now: number): StopFact {
  const end = Date.parse(until);
  const of = 'pool' in body ? { pool: body.pool } : { repository: body.repository };
  return { ...of, by, reason, until: end, said: describeTime(ZONE, end, now) };
}

/** Whether it holds up this root of the repository. */
export function isStopOf(
  stop: Stop | PoolStop,
  repository: Pick<Repository, 'owner' | 'name'>,
  root: StoppedRoot,
): boolean {
  if ('pool' in stop) return stop.pool === ALL_POOLS || stop.pool === poolOf(root);
  return fullName(stop.repository) === fullName(repository) && isInDirectories(stop.directories, root);
}

/** Whether a stop of these directories is about the root; of none, it is about all roots. */
export function isInDirectories(directories: readonly string[], root: Pick<Root, 'name' | 'dir' | 'realDir'>): boolean {
  return isInScope({ repositories: [], roots: directories }, { root: placeOf(root) });
}
