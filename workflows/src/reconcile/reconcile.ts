import { ActivityFailure, isCancellation, proxyActivities, type ActivityOptions } from '@temporalio/workflow';
import type { ReconcileActivities, ReconcileResult } from '@nereid/domain/activities';

/** The next run, ten minutes later, tries a failed part again. */
const PATIENCE = {
  startToCloseTimeout: '15m',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 3, initialInterval: '5s' },
} as const satisfies ActivityOptions;

/** A few seconds' work. A thousand repositories are fifty activities, far from the limits of a history. */
const AT_ONCE = 20;

/** People read the result. */
const FOUND_LIMIT = 100;

/** Tries every part, even if others fail. If one failed, the workflow fails at the end, so that the Schedule shows it. */
export async function reconcile(): Promise<ReconcileResult> {
  const found: string[] = [];
  const failures: ActivityFailure[] = [];
  const attempt = async (part: () => Promise<readonly string[]>): Promise<void> => {
    try {
      found.push(...(await part()));
    } catch (error) {
      if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
      failures.push(error);
    }
  };

  const branches = await perform('listRepositories');
  for (let index = 0; index < branches.length; index += AT_ONCE) {
    const batch = branches.slice(index, index + AT_ONCE);
    await attempt(() => perform('reconcileRepositories', batch));
  }
  await attempt(() => perform('redeliverWebhooks'));

  const [failure] = failures;
  if (failure !== undefined) throw failure;
  return { repositories: branches.length, found: found.slice(0, FOUND_LIMIT) };
}

const perform: ReconcileActivities['reconcile'] = (part, ...asked) =>
  proxyActivities<ReconcileActivities>({ ...PATIENCE, summary: part }).reconcile(part, ...asked);
