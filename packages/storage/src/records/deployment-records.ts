import { hasEnded, type DeploymentRecord, type EndedDeployment, type Repository } from '@nereid/contracts';
import { VersionConflictError } from '../errors.ts';
import { ABSENT, type ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from './record-format.ts';
import { deploymentKey, deploymentsPrefix, timeInKey } from './record-keys.ts';
import { createEndedDeployments } from '../trail/trails.ts';
import { deploymentRecord } from './record-schemas.ts';

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
  /** At most `limit` records, the latest end first; of those that had ended by then, if a time is given. */
  latest(
    repository: Pick<Repository, 'owner' | 'name'>,
    rootName: string,
    limit: number,
    by?: Date,
  ): Promise<readonly DeploymentRecord[]>;
}

const format = recordFormat<DeploymentRecord>(deploymentRecord, 1);

/**
 * Stores list keys in ascending order only, and old deployments are rarely asked for. So the listing starts a week back,
 * then a quarter, and only then at the beginning: a lane with years of history is listed as fast as a new one.
 */
const LOOK_BACK_DAYS = [7, 90, undefined] as const;

const DAY_MS = 24 * 3_600_000;

export function createDeploymentRecords(store: ObjectStore): DeploymentRecords {
  const ended = createEndedDeployments(store);

  async function read(key: string): Promise<DeploymentRecord | undefined> {
    const found = await store.get(key);
    return found && format.decode(key, found.body);
  }

  /** The last wanted keys of a lane, oldest first, at most `limit`. */
  async function lastKeys(lane: string, limit: number, isWanted: (key: string) => boolean): Promise<string[]> {
    let last: string[] = [];
    for (const days of LOOK_BACK_DAYS) {
      last = [];
      for await (const key of store.list(lane, startingAt(lane, days))) {
        if (!isRecord(key, lane) || !isWanted(key)) continue;
        last.push(key);
        if (last.length > limit) last.shift();
      }
      if (last.length === limit) break;
    }
    return last;
  }

  async function keyOf(lane: string, id: string): Promise<string | undefined> {
    const [key] = await lastKeys(lane, 1, (candidate) => candidate.endsWith(`Z-${id}.json`));
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
        await store.put(key, format.encode(record), options);
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

    async latest(repository, rootName, limit, by) {
      if (limit <= 0) return [];
      const lane = deploymentsPrefix(repository, rootName);
      const last = by && timeInKey(by);
      const hadEnded = (key: string) => last === undefined || key.slice(lane.length, lane.length + last.length) <= last;
      const keys = await lastKeys(lane, limit, hadEnded);
      const records = await Promise.all(keys.reverse().map(read));
      return records.filter((record) => record !== undefined);
    },
  };
}

/** Undefined for what was never to be applied. */
function endedDeploymentOf({ repository, deployment, endedAt }: DeploymentRecord): EndedDeployment | undefined {
  const { id, root, revision, trigger, rerun, requestedBy, pullRequest, receivedAt, progress } = deployment;
  const { status, times, plan, review } = progress;
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
    ...(pullRequest !== undefined && { pullRequest }),
    status,
    receivedAt,
    times,
    endedAt,
    ...(plan !== undefined && { hasChanges: plan.hasChanges }),
    ...(review !== undefined && { reviewedBy: review.by }),
  };
}

function startingAt(lane: string, days: number | undefined): { after?: string } {
  return days === undefined ? {} : { after: `${lane}${timeInKey(new Date(Date.now() - days * DAY_MS))}` };
}

/** Whether a key is that of a deployment's record; other objects below the prefix are ignored. */
function isRecord(key: string, lane: string): boolean {
  return /^\d{8}T\d{9}Z-/.test(key.slice(lane.length));
}
