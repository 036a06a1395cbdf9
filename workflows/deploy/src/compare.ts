/** What GitHub and git say of a revision before it runs. They are asked until they answer; meanwhile it is visibly blocked. */
import { condition, isCancellation } from '@temporalio/workflow';
import type { Comparison, Deployment } from '@nereid/contracts';
import { causeOf, compareRevisions, listContained } from './activities.ts';
import { isCancelled } from './cancel-running.ts';
import { collapse } from './ended.ts';
import { isTimeToCarryOn, timestamp, type Lane } from './lane.ts';
import { block, giveBack } from './lane-state.ts';

/** How the revision stands to the latest; undefined when the deployment is cancelled, or waits again, before there is an answer. */
export async function compareWithLatest(
  lane: Lane,
  { revision }: Deployment,
): Promise<Comparison | 'no latest' | undefined> {
  const { latest } = lane.state;
  if (latest === undefined) return 'no latest';
  if (latest.revision === revision.sha) return 'identical';
  return await askPatiently(lane, `compare with ${latest.revision.slice(0, 7)}`, () =>
    compareRevisions(lane.repository, latest.revision, revision.sha),
  );
}

/**
 * Where the root deploys the newest of what waits: what this revision contains goes with it. What it does not, on a branch
 * that was rewritten, keeps its place.
 */
export async function collapseContained(lane: Lane, { trigger, root, revision }: Deployment): Promise<void> {
  const shas = lane.state.queue.merged.map((waiting) => waiting.revision.sha);
  if (trigger !== 'merge' || root.queue !== 'newest' || shas.length === 0) return;
  const contained = await askPatiently(lane, `see what ${revision.sha.slice(0, 7)} contains`, () =>
    listContained(lane.repository, revision.sha, shas),
  );
  lane.state = collapse(lane.state, new Set(contained), timestamp());
}

async function askPatiently<T>(lane: Lane, what: string, ask: () => Promise<T>): Promise<T | undefined> {
  const { retryMs, retryLimitMs } = lane.durations;
  for (let waitMs = retryMs; !isCancelled(lane); waitMs = Math.min(waitMs * 2, retryLimitMs)) {
    try {
      const answer = await ask();
      lane.state = block(lane.state, undefined, timestamp());
      return answer;
    } catch (error) {
      if (isCancellation(error)) throw error;
      lane.state = block(lane.state, `Cannot ${what}: ${sentenceOf(error)}`, timestamp());
      await condition(() => isCancelled(lane), waitMs);
      if (!isCancelled(lane) && isTimeToCarryOn(lane)) {
        // The next run of the lane asks on: this one's history would grow as long as nobody answers.
        lane.state = giveBack(lane.state, timestamp());
        return undefined;
      }
    }
  }
  return undefined;
}

function sentenceOf(error: unknown): string {
  const cause = causeOf(error);
  return (cause instanceof Error ? cause.message : String(cause)).slice(0, 300);
}
