import {
  ActivityFailure,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
  type ActivityOptions,
} from '@temporalio/workflow';
import {
  SWEEP_PARTS,
  type RetentionActivities,
  type RetentionResult,
  type SweepPart,
  type SweptPart,
} from '@nereid/domain/activities';

/** The next run, a day later, goes on with what is left. */
const PATIENCE = {
  startToCloseTimeout: '15m',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 3, initialInterval: '5s' },
} as const satisfies ActivityOptions;

/** Of each kind. With some thousand objects for each, the first run of a large installation ends within the limits of a history. */
const CALLS_LIMIT = 200;

/**
 * Removes what is older than operators have it kept. A part that fails holds up no other; if one failed, the workflow fails at the
 * end, so that the Schedule shows it.
 */
export async function retention(): Promise<RetentionResult> {
  const at = workflowInfo().startTime.toISOString();
  const swept = new Map<SweepPart, SweptPart>();
  const failures: ActivityFailure[] = [];
  for (const part of SWEEP_PARTS) {
    try {
      await sweepPart(part, at, swept);
    } catch (error) {
      if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
      failures.push(error);
    }
    setCurrentDetails(describe(swept));
  }
  const [failure] = failures;
  if (failure !== undefined) throw failure;
  const of = (part: SweepPart) => swept.get(part) ?? { removed: 0, failed: 0 };
  const [logs, deployments, rollouts] = [of('logs'), of('deployments'), of('rollouts')];
  return { logs, deployments, rollouts, days: of('days'), begun: of('begun') };
}

async function sweepPart(part: SweepPart, at: string, swept: Map<SweepPart, SweptPart>): Promise<void> {
  let after: string | undefined;
  for (let call = 0; call < CALLS_LIMIT; call += 1) {
    const { removed, failed, next } = await perform(part, at, after);
    const before = swept.get(part) ?? { removed: 0, failed: 0 };
    swept.set(part, { removed: before.removed + removed, failed: before.failed + failed });
    if (next === undefined) return;
    after = next;
  }
}

const perform: RetentionActivities['sweep'] = (part, ...asked) =>
  proxyActivities<RetentionActivities>({ ...PATIENCE, summary: part }).sweep(part, ...asked);

function describe(swept: ReadonlyMap<SweepPart, SweptPart>): string {
  const lines = [...swept].map(([part, { removed, failed }]) => {
    const left = failed > 0 ? `, ${failed} could not be removed` : '';
    return `- ${part}: ${removed} removed${left}`;
  });
  return lines.join('\n');
}
