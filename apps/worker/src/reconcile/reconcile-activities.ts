/** The activities of the reconcile workflow, for control workers. */
import { policyFor } from '@nereid/config';
import type { BranchToReconcile, ReconcileActivities, ReconcileParts } from '@nereid/domain/activities';
import { inParts } from '@nereid/domain/parts';
import { fullName } from '@nereid/domain/root';
import { Context } from '@temporalio/activity';
import { packDays } from '../platform/audit/pack-days.ts';
import type { WorkerContext } from '../platform/context.ts';
import { withFailures } from '../platform/failures/failures.ts';
import { forgetTaken } from '../intake/taken-before.ts';
import { forgetOldRuns } from '../protected-run/forget-ended.ts';
import { forgetPreviews } from '../pull-request/forget-previews.ts';
import { withHeartbeats } from '../platform/temporal/with-heartbeats.ts';
import { forgetDrains } from './forget-drains.ts';
import { reconcileBranch } from './reconcile-branch.ts';
import { reconcilePullRequests } from './reconcile-pull-requests.ts';
import { redeliverWebhooks } from './redeliver-webhooks.ts';

export function createReconcileActivities(context: WorkerContext): ReconcileActivities {
  return { reconcile: inParts(createReconcileParts(context)) };
}

function createReconcileParts(context: WorkerContext): ReconcileParts {
  return withFailures<ReconcileParts>({
    async listRepositories() {
      const installed = await withHeartbeats(() => context.forge.repositories.all());
      return installed.flatMap(({ defaultBranch, ...repository }) => {
        const policy = policyFor(context.server.current(), fullName(repository));
        return policy ? [{ repository, branch: policy.branch ?? defaultBranch }] : [];
      });
    },
    reconcileRepositories: (branches) =>
      withHeartbeats(async () => {
        const found: string[] = [];
        const failures: unknown[] = [];
        for (const branch of branches) {
          try {
            found.push(...(await reconcileBranch(context, branch, Context.current().cancellationSignal)));
          } catch (error) {
            if (Context.current().cancellationSignal.aborted) throw error;
            context.logger.warn({ err: error, repository: fullName(branch.repository) }, 'could not be reconciled');
            failures.push(error);
          }
          found.push(...(await pullRequestsOf(context, branch)));
        }
        // A failing repository does not hold up the others. If all of them fail, another attempt is worthwhile.
        if (failures.length === branches.length) throw failures[0];
        return found;
      }),
    redeliverWebhooks: () =>
      withHeartbeats(async () => {
        const { deliveries } = context.forge;
        const found = deliveries ? await redeliverWebhooks({ ...context, deliveries }, Date.now()) : [];
        await forgetTaken(context, Date.now());
        await forgetOldRuns(context, Date.now());
        await forgetPreviews(context, Date.now());
        await forgetDrains(context, Date.now());
        await context.stopRecords.forgetEnded(new Date().toISOString(), (err) => {
          context.logger.warn({ err }, 'the stops of a repository cannot be read');
        });
        await packDays([context.auditTrail, context.endedDeployments], Date.now());
        return found;
      }),
  });
}

/** The next round makes up for a failure: deployments must not wait for previews. */
async function pullRequestsOf(context: WorkerContext, branch: BranchToReconcile): Promise<readonly string[]> {
  try {
    return await reconcilePullRequests(context, branch);
  } catch (error) {
    if (Context.current().cancellationSignal.aborted) throw error;
    const repository = fullName(branch.repository);
    context.logger.warn({ err: error, repository }, 'its pull requests could not be reconciled');
    return [];
  }
}
