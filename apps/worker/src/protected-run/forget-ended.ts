/** GitHub says nothing when somebody cancels a run that waits: so it is asked, seldom, about those that have waited for long. */
import type { ProtectedRun } from '@nereid/domain/intake';
import { fullName } from '@nereid/domain/root';
import { ForgeRefusedError, ForgeUnavailableError } from '@nereid/forge';
import { LRUCache } from 'lru-cache';
import type { WorkerContext } from '../platform/context.ts';
import type { RevisionTools } from '../root/revision-tools.ts';

/** Returns the runs of one repository that have not ended, as far as is known; the others are forgotten. `now` is in epoch milliseconds. */
export type ForgetEnded = (
  tools: RevisionTools,
  runs: readonly ProtectedRun[],
  now: number,
) => Promise<readonly ProtectedRun[]>;

/** A run that has ended costs two requests to storage a minute, and a place among those of its repository. */
const ASKED_EVERY_MS = 3_600_000;

/** Of one repository in a look: so a thousand are asked about within two hours, with a tenth of an hour's requests. */
const ASKED_AT_ONCE = 10;

/** The runs of ten repositories that have as many as may wait. What is forgotten is asked once more. */
const REMEMBERED = 10_000;

export function createForgetEnded(): ForgetEnded {
  const askedAt = new LRUCache<string, number>({ max: REMEMBERED });

  return async (tools, runs, now) => {
    const due = runs
      .filter((run) => now - (askedAt.get(keyOf(run)) ?? Date.parse(run.received.body.receivedAt)) >= ASKED_EVERY_MS)
      .slice(0, ASKED_AT_ONCE);
    const ended = new Set<ProtectedRun>();
    for (const run of due) {
      const isOver = await isRunOver(tools, run);
      if (isOver === undefined) break;
      askedAt.set(keyOf(run), now);
      if (!isOver) continue;
      await tools.context.protectedRuns.remove(run);
      ended.add(run);
    }
    return runs.filter((run) => !ended.has(run));
  };
}

/** Undefined where the forge does not say, such as without the permission: then a run has its end after 30 days. */
async function isRunOver(
  { context: { forge }, signal }: RevisionTools,
  { received: { body } }: ProtectedRun,
): Promise<boolean | undefined> {
  const { repository, runId } = body.event;
  try {
    return await forge.environments?.isRunOver(repository, runId, { begin: signal, signal });
  } catch (error) {
    if (error instanceof ForgeRefusedError || error instanceof ForgeUnavailableError) return undefined;
    throw error;
  }
}

/** A day more than a run can wait, because clocks differ. */
const KEPT_MS = 31 * 24 * 3_600_000;

/** Removes what nobody answers: no entry is about it any more, or nobody can read it. */
export async function forgetOldRuns(
  { protectedRuns }: Pick<WorkerContext, 'protectedRuns'>,
  nowMs: number,
): Promise<void> {
  await protectedRuns.forget(new Date(nowMs - KEPT_MS));
}

function keyOf({ received: { body } }: ProtectedRun): string {
  const { repository, runId, deploymentId } = body.event;
  return `${fullName(repository)} ${runId} ${deploymentId}`;
}
