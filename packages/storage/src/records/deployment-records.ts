import { deploymentRecord } from '@nereid/domain/deployment/record';
import { defined } from '@nereid/domain/defined';
import { hasEnded, type DeploymentRecord, type EndedDeployment } from '@nereid/domain/deployment';
import type { Repository } from '@nereid/domain/root';
import pMap from 'p-map';
import { VersionConflictError } from '../errors.ts';
import { ABSENT, type ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from '../record-format.ts';
import { deploymentKey, deploymentsPrefix, parseDeploymentKey } from './record-keys.ts';
import { timeInKey } from '../days/day-keys.ts';
import { createEndedDeployments } from './ended-deployments.ts';

/** The records of ended deployments: one for each, and a summary by the day of its end (`EndedDeployments`). */
export interface DeploymentRecords {
  /**
   * Stores the record, unless there is one of the deployment, whatever its time: that stays, unless `yields` says that it gives
   * way. Returns the one that is stored.
   */
  write(record: DeploymentRecord, yields?: (stored: DeploymentRecord) => boolean): Promise<DeploymentRecord>;
  find(
    repository: Pick<Repository, 'owner' | 'name'>,
    rootName: string,
    id: string,
  ): Promise<DeploymentRecord | undefined>;
  /** At most `limit` records, the latest end first. */
  latest(
    repository: Pick<Repository, 'owner' | 'name'>,
    rootName: string,
    limit: number,
  ): Promise<readonly DeploymentRecord[]>;
  /** At most `limit` places, before the bound if there is one, the latest end first. Reads no record. */
  endsBefore(
    repository: Pick<Repository, 'owner' | 'name'>,
    rootName: string,
    bound: EndBound | undefined,
    limit: number,
  ): Promise<readonly EndPlace[]>;
  /** Undefined when there is none: a record that gave way to a better one may have left its place. */
  readAt(
    repository: Pick<Repository, 'owner' | 'name'>,
    rootName: string,
    place: EndPlace,
  ): Promise<DeploymentRecord | undefined>;
}

/** The place of a deployment among those that ended in its lane. */
export interface EndPlace {
  /** ISO 8601. */
  readonly endedAt: string;
  readonly id: string;
}

/** Only what had ended by this time (ISO 8601), or comes before this place. */
export type EndBound = { readonly by: string } | { readonly before: EndPlace };

/** A sweep and an erasure read it, too. */
export const deploymentFormat = recordFormat<DeploymentRecord>(deploymentRecord, 1);

/**
 * Stores list keys in ascending order only, and old deployments are rarely asked for. So the listing starts a week before the
 * place, then a quarter, and only then at the beginning: a lane with years of history is listed as fast as a new one.
 */
const LOOK_BACK_DAYS = [7, 90, undefined] as const;

const DAY_MS = 24 * 3_600_000;

export function createDeploymentRecords(store: ObjectStore): DeploymentRecords {
  const ended = createEndedDeployments(store);

  async function read(key: string): Promise<DeploymentRecord | undefined> {
    const found = await store.get(key);
    return found && deploymentFormat.decode(key, found.body);
  }

  /** The last wanted keys of a lane before the bound, the last one first, at most `limit`. No key is listed twice. */
  async function lastKeys(
    lane: string,
    limit: number,
    {
      bound,
      isWanted = () => true,
    }: { readonly bound?: EndBound | undefined; readonly isWanted?: (key: string) => boolean },
  ): Promise<readonly string[]> {
    const found: string[] = [];
    let until = bound && keyBehind(lane, bound);
    for (const days of LOOK_BACK_DAYS) {
      const after = days === undefined ? undefined : keyBefore(lane, bound, days);
      const listed: string[] = [];
      for await (const key of store.list(lane, after === undefined ? {} : { after })) {
        if (until !== undefined && key >= until) break;
        if (parseDeploymentKey(lane, key) === undefined || !isWanted(key)) continue;
        listed.push(key);
        if (listed.length > limit - found.length) listed.shift();
      }
      found.push(...listed.reverse());
      if (found.length === limit) break;
      until = after;
    }
    return found;
  }

  async function keyOf(lane: string, id: string): Promise<string | undefined> {
    const [key] = await lastKeys(lane, 1, { isWanted: (candidate) => candidate.endsWith(`Z-${id}.json`) });
    return key;
  }

  return {
    async write(record, yields = () => false) {
      const { repository, deployment, endedAt } = record;
      const lane = deploymentsPrefix(repository, deployment.root.name);
      const known = await keyOf(lane, deployment.id);
      const stored = known === undefined ? undefined : await read(known);
      if (stored !== undefined && !yields(stored)) return stored;
      const key = deploymentKey(lane, endedAt, deployment.id);
      // One of the same time is replaced; any other goes once the new one is there.
      const options = known === key ? {} : { ifVersion: ABSENT };
      // Before the record: whoever finds that does not come back for the summary.
      const summary = endedDeploymentOf(record);
      if (summary) await ended.append(endedAt, deployment.id, summary);
      try {
        await store.put(key, deploymentFormat.encode(key, record), options);
      } catch (error) {
        if (!(error instanceof VersionConflictError)) throw error;
        return (await read(key)) ?? record;
      }
      if (known !== undefined && known !== key) {
        await store.delete(known);
        if (stored !== undefined) await ended.remove(stored.endedAt, deployment.id);
      }
      return record;
    },

    async find(repository, rootName, id) {
      const key = await keyOf(deploymentsPrefix(repository, rootName), id);
      return key === undefined ? undefined : read(key);
    },

    async latest(repository, rootName, limit) {
      if (limit <= 0) return [];
      const keys = await lastKeys(deploymentsPrefix(repository, rootName), limit, {});
      const records = await pMap(keys, read, { concurrency: READ_AT_ONCE });
      return records.filter((record) => record !== undefined);
    },

    async endsBefore(repository, rootName, bound, limit) {
      if (limit <= 0) return [];
      const lane = deploymentsPrefix(repository, rootName);
      return (await lastKeys(lane, limit, { bound })).flatMap((key) => parseDeploymentKey(lane, key) ?? []);
    },

    readAt: (repository, rootName, { endedAt, id }) =>
      read(deploymentKey(deploymentsPrefix(repository, rootName), endedAt, id)),
  };
}

/** Far below what one prefix of a bucket takes in a second. */
const READ_AT_ONCE = 32;

/** Undefined for what was never to be applied. */
export function endedDeploymentOf({ repository, deployment, endedAt }: DeploymentRecord): EndedDeployment | undefined {
  const { id, root, revision, trigger, rerun, requestedBy, pullRequest, receivedAt, progress, carrier } = deployment;
  const { status, times, plan, review, applied } = progress;
  if (trigger === 'preview' || !hasEnded(status)) return undefined;
  return {
    version: 1,
    id,
    repository: { owner: repository.owner, name: repository.name },
    rootName: root.name,
    revision,
    trigger,
    rerun,
    requestedBy,
    ...defined({ pullRequest }),
    status,
    ...(carrier && { carrier }),
    receivedAt,
    times,
    endedAt,
    ...(plan !== undefined && { hasChanges: plan.made.body.hasChanges }),
    ...defined({ applied }),
    ...(review !== undefined && { reviewedBy: review.by }),
  };
}

/** Keys of the deployments that a bound leaves over come before it. In keys, an id follows the time behind a `-`, which sorts before `.`. */
function keyBehind(lane: string, bound: EndBound): string {
  if ('by' in bound) return `${lane}${timeInKey(new Date(bound.by))}.`;
  return deploymentKey(lane, bound.before.endedAt, bound.before.id);
}

/** Keys of deployments that ended in these days before the bound, or before now, come after it. */
function keyBefore(lane: string, bound: EndBound | undefined, days: number): string {
  const at = bound === undefined ? Date.now() : Date.parse('by' in bound ? bound.by : bound.before.endedAt);
  return `${lane}${timeInKey(new Date(at - days * DAY_MS))}`;
}
