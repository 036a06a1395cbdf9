/** Why running deployments wait, as their own workflows say: asked once in a while for all pages that show it. */
import { setTimeout } from 'node:timers/promises';
import { defined } from '@nereid/domain/defined';
import type { Progress } from '@nereid/domain/deployment';
import { LRUCache } from 'lru-cache';
import pMap from 'p-map';
import type { AskProgress } from '../platform/temporal/ask-workflows.ts';
import { withProgress, type FleetDeployment } from './fleet-lane.ts';

/** The deployment with what its workflow says of it; as it is, when that does not answer. */
export type ReadProgress = (deployment: FleetDeployment) => Promise<FleetDeployment>;

/** The part of a wait that only its own workflow knows. */
export type OwnWait = Pick<FleetDeployment, 'reviewWait' | 'reason' | 'waitsFor'>;

/** Asks about those in review, or behind a gate that their lane does not know. Returns the waits that are known, by id. */
export type ReadWaits = (deployments: readonly FleetDeployment[]) => Promise<ReadonlyMap<string, OwnWait>>;

/** Lanes are read as often. */
const FRESH_MS = 3_000;

/** Each question takes seconds when nobody answers. */
const SILENT_MS = 10_000;

/** A wait changes with the status, when a policy is overridden, or when another gate holds it up. */
const WAIT_MS = 30_000;

/** A kilobyte each. More than all hosts of anybody work on at once. */
const KEPT = 10_000;

/** A workflow that is in no worker's memory is replayed for its answer. If more of them wait, the next readings ask the others. */
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
    const key = keyOf(deployment);
    const progress = await (known.get(key) ?? ask(key, deployment.id));
    return progress === undefined ? deployment : withProgress(deployment, progress);
  };
}

/** `patienceMs` is for tests. */
export function createReadWaits(readProgress: ReadProgress, patienceMs = PATIENCE_MS): ReadWaits {
  const known = new LRUCache<string, OwnWait>({
    max: KEPT,
    ttl: WAIT_MS,
    allowStale: true,
    noDeleteOnStaleGet: true,
  });

  async function read(deployment: FleetDeployment): Promise<void> {
    const told = await readProgress(deployment);
    if (told === deployment || told.status !== deployment.status) return;
    const { reviewWait, reason, waitsFor } = told;
    known.set(keyOf(deployment), defined({ reviewWait, reason, waitsFor }));
  }

  return async (deployments) => {
    const waiting = deployments.filter(isOwnWait);
    const due = waiting.filter((one) => known.getRemainingTTL(keyOf(one)) <= 0).slice(0, ASKED_LIMIT);
    const asked = pMap(due, read, { concurrency: AT_ONCE });
    await Promise.race([asked, setTimeout(patienceMs, undefined, { ref: false })]);
    return new Map(
      waiting.flatMap((one) => {
        const wait = known.get(keyOf(one));
        return wait === undefined ? [] : [[one.id, wait] as const];
      }),
    );
  };
}

/** A lane knows why it holds up a deployment itself, before its plan. */
function isOwnWait({ status, reason }: FleetDeployment): boolean {
  return status === 'awaiting-review' || (status === 'blocked' && reason === undefined);
}

/** Another status is another wait. */
function keyOf({ id, status }: FleetDeployment): string {
  return `${id} ${status}`;
}
