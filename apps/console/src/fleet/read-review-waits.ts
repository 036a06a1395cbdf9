/** Why running deployments wait, as their own workflows say: asked once in a while for all pages that show it. */
import { setTimeout } from 'node:timers/promises';
import type { Progress } from '@nereid/domain/deployment';
import { LRUCache } from 'lru-cache';
import pMap from 'p-map';
import type { AskProgress } from '../platform/temporal/ask-workflows.ts';
import { withProgress, type FleetDeployment, type ReviewWait } from './fleet-lane.ts';

/** The deployment with what its workflow says of it; as it is, when that does not answer. */
export type ReadProgress = (deployment: FleetDeployment) => Promise<FleetDeployment>;

/** The waits of those of these deployments that are in review, as far as they are known. */
export type ReadReviewWaits = (deployments: readonly FleetDeployment[]) => Promise<ReadonlyMap<string, ReviewWait>>;

/** Lanes are read as often. */
const FRESH_MS = 3_000;

/** Each question takes seconds when nobody answers. */
const SILENT_MS = 10_000;

/** A wait changes with the status, or when a policy is overridden. */
const REVIEW_WAIT_MS = 30_000;

/** A kilobyte each. More than all hosts of anybody work on at once. */
const KEPT = 10_000;

/** A workflow that is in no worker's memory is replayed for its answer. If there are more reviews, the next readings ask the others. */
const ASKED_LIMIT = 50;

const AT_ONCE = 16;

/** Answers come within milliseconds; a list does not wait for those that do not. */
const PATIENCE_MS = 500;

/** Who asks while the workflow is asked waits for the same answer. */
export function createReadProgress(askProgress: AskProgress): ReadProgress {
  const known = new LRUCache<string, Promise<Progress | undefined>>({ max: KEPT });

  function ask(key: string, id: string): Promise<Progress | undefined> {
    const answer = askProgress(id).then((found) => {
      const progress = found.kind === 'found' ? found.value : undefined;
      known.set(key, answer, { ttl: progress === undefined ? SILENT_MS : FRESH_MS });
      return progress;
    });
    known.set(key, answer);
    return answer;
  }

  return async (deployment) => {
    // Once Temporal lists another status, the answer is an old one.
    const key = `${deployment.id} ${deployment.status}`;
    const progress = await (known.get(key) ?? ask(key, deployment.id));
    return progress === undefined ? deployment : withProgress(deployment, progress);
  };
}

/** `patienceMs` is for tests. */
export function createReadReviewWaits(readProgress: ReadProgress, patienceMs = PATIENCE_MS): ReadReviewWaits {
  const known = new LRUCache<string, ReviewWait>({
    max: KEPT,
    ttl: REVIEW_WAIT_MS,
    allowStale: true,
    noDeleteOnStaleGet: true,
  });

  async function read(deployment: FleetDeployment): Promise<void> {
    const { reviewWait } = await readProgress(deployment);
    if (reviewWait !== undefined) known.set(deployment.id, reviewWait);
  }

  return async (deployments) => {
    const waiting = deployments.filter(({ status }) => status === 'awaiting-review');
    const due = waiting.filter(({ id }) => known.getRemainingTTL(id) <= 0).slice(0, ASKED_LIMIT);
    const asked = pMap(due, read, { concurrency: AT_ONCE });
    await Promise.race([asked, setTimeout(patienceMs, undefined, { ref: false })]);
    return new Map(
      waiting.flatMap(({ id }) => {
        const reviewWait = known.get(id);
        return reviewWait === undefined ? [] : [[id, reviewWait] as const];
      }),
    );
  };
}
