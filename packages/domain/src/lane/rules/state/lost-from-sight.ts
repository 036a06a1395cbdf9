/** Deployments whose terraform workflow closed without a result. */
import { defined } from '../../../defined.ts';
import type { Deployment } from '../../../deployment/model.ts';
import type { Progress } from '../../../deployment/progress.ts';
import { hasEnded } from '../../../deployment/status.ts';
import type { TerraformFound } from '../../activities.ts';
import { advance } from '../../../deployment/rules/progress.ts';

type Closed = Extract<TerraformFound, { readonly kind: 'closed' }>;

/**
 * The end of such a deployment. Before its apply, nothing can have happened. After that, the outcome that its history or its
 * host knows is true; without one, nobody knows the outcome.
 */
export function lostFromSight({ progress }: Deployment, { apply }: Closed, at: string): Progress {
  if (hasEnded(progress.status)) return progress;
  if (apply === undefined) {
    return advance(progress, 'cancelled', at, 'The terraform workflow was ended before it applied anything.');
  }
  const { jobId, hostId, outcome } = apply;
  const job = progress.jobs.apply ?? { id: jobId, startedAt: at };
  const known = {
    ...progress,
    ...defined({ hostId }),
    jobs: { ...progress.jobs, apply: { ...job, endedAt: at } },
  };
  switch (outcome?.kind) {
    case 'applied':
      return {
        ...advance(known, 'succeeded', at),
        applied: outcome.counts,
        ...(outcome.proof && { proof: outcome.proof }),
      };
    case 'failed':
      return {
        ...advance(known, 'apply-failed', at),
        failure: outcome.failure,
        ...(outcome.proof && { proof: outcome.proof }),
      };
    case 'plan-unusable':
    case 'not-begun':
      return advance(known, 'cancelled', at, 'The terraform workflow was ended before its apply began.');
    case 'unknown':
      return advance(known, 'apply-outcome-unknown', at, outcome.why);
    case undefined:
      return advance(
        known,
        'apply-outcome-unknown',
        at,
        `The terraform workflow was ended while it applied${hostId === undefined ? '' : ` on host ${hostId}`}. Look at the state before you go on.`,
      );
  }
}
