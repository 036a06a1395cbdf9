/** Where the records of lanes, deployments and all that has no folder of its own are kept. No other file builds these keys. */
import { createHash } from 'node:crypto';
import type { BudgetDoor } from '@nereid/domain/gates';
import type { ProtectedRunEvent } from '@nereid/domain/intake';
import type { Repository } from '@nereid/domain/root';
import { dayOf, timeInKey } from '../days/day-keys.ts';

/** Only records of ended deployments are below it. */
export const DEPLOYMENTS_PREFIX = 'deployments/';

/** `deployments/<owner>/<repo>/<root>/`: the ended deployments of one lane. */
export function deploymentsPrefix(repository: Pick<Repository, 'owner' | 'name'>, rootName: string): string {
  return `${DEPLOYMENTS_PREFIX}${repository.owner}/${repository.name}/${rootName}/`;
}

export function laneKey(repository: Pick<Repository, 'owner' | 'name'>, rootName: string): string {
  return `${LANES_PREFIX}${repository.owner}/${repository.name}/${rootName}.json`;
}

/** Only lanes are below it, so listing lanes lists nothing else. */
export const LANES_PREFIX = 'lanes/';

/** The inverse of `laneKey`; undefined when the key does not belong to a lane. */
export function parseLaneKey(key: string): { owner: string; name: string; rootName: string } | undefined {
  const match = /^lanes\/(?<owner>[^/]+)\/(?<name>[^/]+)\/(?<rootName>[^/]+)\.json$/.exec(key);
  const { owner, name, rootName } = match?.groups ?? {};
  return owner && name && rootName ? { owner, name, rootName } : undefined;
}

/** Not below `deployments/`, where every name below a repository belongs to a root. */
export function repositoryKey(repository: Pick<Repository, 'owner' | 'name'>): string {
  return `repositories/${repository.owner}/${repository.name}.json`;
}

/** Where the state of a root is kept, as far as its name does not tell: two names of one place deploy the same. */
export interface RootPlaceId {
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  /** The real directory, relative to the repository's top. */
  readonly dir: string;
  readonly workspace: string;
}

export function rootPlaceKey({ repository: { owner, name }, dir, workspace }: RootPlaceId): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([dir, workspace]))
    .digest('hex');
  return `places/${owner}/${name}/${digest.slice(0, 32)}.json`;
}

/** Not below `lanes/`, whose records the lanes themselves have written. */
export function laneTurnKey({ owner, name }: Pick<Repository, 'owner' | 'name'>, rootName: string): string {
  return `${TURNS_PREFIX}${owner}/${name}/${rootName}.json`;
}

/** Only turns are below it. */
export const TURNS_PREFIX = 'turns/';

/** The id of the deployment in the key of a preview or of a marker. */
export function deploymentIn(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1).replace(/\.json$/, '');
}

/** `reminders/<owner>/<repo>/<root>.json`: one small object for each lane whose reviewers were ever reminded. */
export function remindersKey({ owner, name }: Pick<Repository, 'owner' | 'name'>, rootName: string): string {
  return `reminders/${owner}/${name}/${rootName}.json`;
}

/** Only runs of other workflows that wait for us are below it. */
export const PROTECTED_RUNS_PREFIX = 'protected-runs/';

export function protectedRunsPrefix({ owner, name }: Pick<Repository, 'owner' | 'name'>): string {
  return `${PROTECTED_RUNS_PREFIX}${owner}/${name}/`;
}

/** The name of an environment may have any characters. */
export function protectedRunKey(
  repository: Pick<Repository, 'owner' | 'name'>,
  { runId, deploymentId, environment }: Pick<ProtectedRunEvent, 'runId' | 'deploymentId' | 'environment'>,
): string {
  const digest = createHash('sha256').update(environment.toLowerCase()).digest('hex').slice(0, 32);
  return `${protectedRunsPrefix(repository)}${runId}-${digest}-${deploymentId}.json`;
}

export const STOPS_PREFIX = 'stops/';

export function stopsKey({ owner, name }: Pick<Repository, 'owner' | 'name'>): string {
  return `${STOPS_PREFIX}${owner}/${name}.json`;
}

/** The inverse of `stopsKey`; undefined when the key does not belong to a repository. */
export function parseStopsKey(key: string): { owner: string; name: string } | undefined {
  const { owner, name } = /^stops\/(?<owner>[^/]+)\/(?<name>[^/]+)\.json$/.exec(key)?.groups ?? {};
  return owner && name ? { owner, name } : undefined;
}

/** No repository has this key, because those are a folder deeper. */
export const POOL_STOPS_KEY = `${STOPS_PREFIX}pools.json`;

/** No name of a budget has a `/`. */
export function budgetKey(name: string, door: BudgetDoor): string {
  return door === 'plan' ? `budgets/plans/${name}.json` : `budgets/${name}.json`;
}

export function ownNamespaceKey(id: string): string {
  return `namespaces/${id}`;
}

/** Below its pool, so that credentials of hosts may write those of their own pool alone. */
export function begunKey(pool: string, deploymentId: string): string {
  return `${BEGUN_PREFIX}${pool}/${deploymentId}`;
}

/** Only markers of applies are below it. */
export const BEGUN_PREFIX = 'begun/';

/** The part of a webhook's body. */
export interface WebhookBody {
  /** SHA-256, 64 hex digits. */
  readonly digest: string;
  /**
   * When it happened, as the body itself says: the same for the same body. Undefined when the body does not say: then its mark
   * stays for good, because the body can come again as a new one at any time.
   */
  readonly at: Date | undefined;
}

/** Only marks of taken webhooks are below it. */
export const TAKEN_PREFIX = 'taken/';

/** Sorts by day, so that old marks come first, and those that stay come last. */
export function takenKey({ digest, at }: WebhookBody): string {
  return `${TAKEN_PREFIX}${at === undefined ? 'undated' : dayOf(at)}/${digest}`;
}

/** Sorts by time: `<ended at>-<id>.json`. The time is in ISO 8601's basic form, because no key contains `:`. */
export function deploymentKey(lane: string, endedAt: string, id: string): string {
  return `${lane}${timeInKey(new Date(endedAt))}-${id}.json`;
}

/** The inverse of `deploymentKey`; undefined when the key does not belong to a deployment of this lane. */
export function parseDeploymentKey(lane: string, key: string): { endedAt: string; id: string } | undefined {
  if (!key.startsWith(lane)) return undefined;
  const { date, time, ms, id } = DEPLOYMENT.exec(key.slice(lane.length))?.groups ?? {};
  if (!date || !time || !ms || !id) return undefined;
  const [day, clock] = [date.replace(/(....)(..)(..)/, '$1-$2-$3'), time.replace(/(..)(..)(..)/, '$1:$2:$3')];
  return { endedAt: `${day}T${clock}.${ms}Z`, id };
}

const DEPLOYMENT = /^(?<date>\d{8})T(?<time>\d{6})(?<ms>\d{3})Z-(?<id>.+)\.json$/;
