/**
 * An apply whose worker was lost: Terraform may go on without it. The worker that comes back on that host's disk tells the
 * true outcome. Nobody applies again before that, and nobody waits for ever.
 */
import { isCancellation, sleep } from '@temporalio/workflow';
import type { ApplyJob, ApplyOutcome } from '@nereid/domain/deployment';
import { causeOf, inspectingOn, isHostAlive, isHostLost, wasNotTaken } from '../activities.ts';
import { createPatience } from '../patience.ts';
import { note, type Run } from '../run.ts';

export async function inspect(run: Run, hostId: string, job: ApplyJob, lost: string): Promise<ApplyOutcome> {
  const { applyMs, comeBackMs } = run.durations;
  const deadline = Date.now() + applyMs + comeBackMs;
  const patience = createPatience(run);
  note(run, {
    ...run.progress,
    reason: `The worker was lost (${lost}). The apply may still be running on host ${hostId}: waiting for what became of it.`,
  });
  for (;;) {
    try {
      return await inspectingOn(hostId, run.durations).inspectApply(job);
    } catch (error) {
      if (isCancellation(error)) return unknown(hostId, 'a person did not want to wait for its host any more');
      if (Date.now() > deadline) return unknown(hostId, causeOf(error));
      if (wasNotTaken(error) && !(await isHostAlive(hostId))) return unknown(hostId, 'the host did not come back');
      // Lost once more, perhaps after it followed the apply for long: again, the worker that comes back is asked.
      if (isHostLost(error)) {
        await sleep(run.durations.pauseMs, { summary: 'before its host is asked again' });
        continue;
      }
      const goesOn = await patience.pause(
        `Host ${hostId} is asked again for the outcome of the apply: ${causeOf(error)}`,
      );
      if (!goesOn) return unknown(hostId, causeOf(error));
    }
  }
}

function unknown(hostId: string, why: string): ApplyOutcome {
  return {
    kind: 'unknown',
    why: `The apply began on host ${hostId}, whose worker was lost; ${why}. Terraform may have changed resources, and may still be at work: look at the state and at its lock before you go on.`,
  };
}
