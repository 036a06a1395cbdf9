/**
 * The applies that this process runs. A worker that was cut off from Temporal is asked what became of one that it still
 * runs, or that has ended since: each has one follower, and whoever asks again gets the same outcome.
 */
import type { ApplyOutcome } from '@nereid/contracts';
import { ApplicationFailure } from '@temporalio/common';
import type { Outcomes } from './outcomes.ts';
import type { Steps } from '../job/step.ts';

export interface Applies {
  /** Runs or follows the apply of a job, which whoever asks again may stop too. Its outcome is kept. */
  run(jobId: string, steps: Steps, apply: (steps: Steps) => Promise<ApplyOutcome>): Promise<ApplyOutcome>;
  /** What becomes of an apply that runs here; undefined: none does, or it left nothing to go by. */
  outcomeOf(jobId: string, steps: Steps): Promise<ApplyOutcome | undefined>;
}

export function createApplies(outcomes: Pick<Outcomes, 'keep' | 'find'>): Applies {
  const running = new Map<string, { readonly outcome: Promise<ApplyOutcome>; readonly stop: AbortController }>();

  return {
    async run(jobId, steps, apply) {
      const stop = new AbortController();
      const outcome = apply({ ...steps, signal: AbortSignal.any([steps.signal, stop.signal]) });
      running.set(jobId, { outcome, stop });
      try {
        const ended = await outcome;
        if (isFact(ended)) await outcomes.keep(jobId, ended);
        return ended;
      } finally {
        running.delete(jobId);
      }
    },

    async outcomeOf(jobId, steps) {
      const { signal } = steps;
      const apply = running.get(jobId);
      if (apply === undefined) return outcomes.find(jobId);
      steps.at('following an apply of this worker');
      const onAbort = () => {
        apply.stop.abort(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      try {
        return await apply.outcome;
      } catch (error) {
        // It said so to nobody: nothing was begun.
        if (isDeclined(error)) return { kind: 'not-begun' };
        return undefined;
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
  };
}

/** Of anything else, whoever asks again looks again. */
function isFact({ kind }: ApplyOutcome): boolean {
  return kind === 'applied' || kind === 'failed';
}

function isDeclined(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === 'HOST_DECLINED';
}
