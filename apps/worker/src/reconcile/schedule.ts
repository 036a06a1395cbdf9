/** The Temporal Schedule of the reconciler, which the first control worker creates. */
import { CONTROL_QUEUE, RECONCILE_SCHEDULE, WORKFLOW } from '@nereid/contracts';
import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type Client } from '@temporalio/client';

/** A lost webhook is felt after minutes; asking more often would cost GitHub requests and find nothing. */
const EVERY = '10m';

/** Many Nereids behind one GitHub would otherwise ask in the same second. */
const JITTER = '1m';

/** One that is there stays as it is: an operator may have changed or paused it. */
export async function ensureSchedule({ schedule }: Pick<Client, 'schedule'>): Promise<void> {
  try {
    await schedule.create({
      scheduleId: RECONCILE_SCHEDULE,
      spec: { intervals: [{ every: EVERY }], jitter: JITTER },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: EVERY },
      action: {
        type: 'startWorkflow',
        workflowType: WORKFLOW.reconcile,
        workflowId: WORKFLOW.reconcile,
        taskQueue: CONTROL_QUEUE,
        args: [],
      },
      // The marks of branches are set now, not in ten minutes.
      state: { triggerImmediately: true },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
