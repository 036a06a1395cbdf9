/** What the reconcile workflow asks of a control worker. */
import { policyFor } from '@nereid/config';
import { fullName, type ReconcileActivities } from '@nereid/contracts';
import { Context } from '@temporalio/activity';
import type { WorkerContext } from '../context.ts';
import { withFailures } from '../failures.ts';
import { reconcileBranch } from './reconcile-branch.ts';
import { redeliverWebhooks } from './redeliver-webhooks.ts';
import { resumeLanes } from './resume-lanes.ts';

/** A third of the workflow's heartbeat timeout. */
const HEARTBEAT_MS = 20_000;

export function createReconcileActivities(context: WorkerContext): ReconcileActivities {
  return withFailures<ReconcileActivities>({
    async listRepositories() {
      const installed = await heartbeating(() => context.github.installations.repositories());
      return installed.flatMap(({ defaultBranch, ...repository }) => {
        const policy = policyFor(context.server.current(), fullName(repository));
        return policy ? [{ repository, branch: policy.branch ?? defaultBranch }] : [];
      });
    },
    reconcileRepositories: (branches) =>
      heartbeating(async () => {
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
        }
        // One sick repository holds up no other; all of them failing is worth another try.
        if (failures.length === branches.length) throw failures[0];
        return found;
      }),
    resumeLanes: (since) => heartbeating(() => resumeLanes(context, since)),
    redeliverWebhooks: () => heartbeating(() => redeliverWebhooks(context, Date.now())),
  });
}

async function heartbeating<T>(work: () => Promise<T>): Promise<T> {
  const activity = Context.current();
  const timer = setInterval(() => {
    activity.heartbeat();
  }, HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
