/**
 * The applies that this process runs. After the worker was cut off from Temporal, it may be asked for the outcome of an
 * apply that it still runs, or that has ended since. Each apply runs once, and every caller gets the same outcome.
 */
import type { ApplyOutcome } from '@nereid/domain/deployment';
import { ApplicationFailure } from '@temporalio/common';
import type { Outcomes } from '../outcome/outcomes.ts';
import type { Steps } from '../job/step.ts';

export interface Applies {
  /** Runs or follows the apply of a job, and keeps its outcome. Callers of `outcomeOf` can stop the apply too. */
  run(jobId: string, steps: Steps, apply: (steps: Steps) => Promise<ApplyOutcome>): Promise<ApplyOutcome>;
  /** The outcome of an apply that runs or ended here; undefined when there is none, or when the outcome is not known. */
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
        // An apply may have begun while its job was looked at.
        if (running.get(jobId)?.stop === stop) running.delete(jobId);
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
        // The activity that declined could not report it any more. Nothing was begun.
        if (isDeclined(error)) return { kind: 'not-begun' };
        return undefined;
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
  };
}

/** Other outcomes are not kept: the next caller inspects the apply again. */
function isFact({ kind }: ApplyOutcome): boolean {
  return kind === 'applied' || kind === 'failed';
}

function isDeclined(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === 'HOST_DECLINED';
}
