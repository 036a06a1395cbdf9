/** The Temporal Schedules of the reconciler, of the watch and of retention, which the first control worker creates. */
import { ConfigurationError } from '@nereid/config';
import {
  CONTROL_QUEUE,
  RECONCILE_SCHEDULE,
  RETENTION_SCHEDULE,
  WATCH_SCHEDULE,
  WORKFLOW,
} from '@nereid/domain/temporal-names';
import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type Client, type ScheduleOptions } from '@temporalio/client';
import { markNamespace, MARK, type InstallationMarks } from './installation-mark.ts';

type Spec = Pick<ScheduleOptions, 'scheduleId' | 'spec'> & {
  readonly every: '1m' | '10m' | '24h';
  readonly workflowType: string;
};

const RECONCILE: Spec = {
  scheduleId: RECONCILE_SCHEDULE,
  workflowType: WORKFLOW.reconcile,
  // People notice a lost webhook after minutes; shorter intervals would cost the forge requests and find nothing.
  every: '10m',
  // Without jitter, many installations of Nereid would ask the same forge in the same second.
  spec: { intervals: [{ every: '10m' }], jitter: '1m' },
};

const WATCH: Spec = {
  scheduleId: WATCH_SCHEDULE,
  workflowType: WORKFLOW.watch,
  // People would notice a problem before a later alarm. Most runs ask only Temporal and take seconds.
  every: '1m',
  spec: { intervals: [{ every: '1m' }] },
};

const RETENTION: Spec = {
  scheduleId: RETENTION_SCHEDULE,
  workflowType: WORKFLOW.retention,
  // Nobody minds that something is kept for a day longer, and a sweep lists all logs.
  every: '24h',
  // A bucket that several installations share should not be listed by all of them at midnight.
  spec: { intervals: [{ every: '24h' }], jitter: '2h' },
};

/**
 * An existing schedule stays as it is: an operator may have changed or paused it. A failure does not stop the others. Throws a
 * ConfigurationError where the namespace belongs to another installation.
 */
export async function ensureSchedules(
  temporal: Pick<Client, 'schedule' | 'options'>,
  marks: InstallationMarks,
): Promise<void> {
  const { schedule } = temporal;
  const results = await Promise.allSettled([
    ensureSchedule(schedule, RECONCILE, marks),
    ensureSchedule(schedule, RETENTION, marks),
    ensureSchedule(schedule, WATCH, marks).then(() => markNamespace(temporal, marks)),
  ]);
  const reasons = results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
  if (reasons.length > 0) throw reasons.find((reason) => reason instanceof ConfigurationError) ?? reasons[0];
}

async function ensureSchedule(
  schedule: Client['schedule'],
  { scheduleId, spec, every, workflowType }: Spec,
  { own }: InstallationMarks,
): Promise<void> {
  try {
    await schedule.create({
      scheduleId,
      spec,
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: every },
      action: {
        ...{ type: 'startWorkflow', workflowType, workflowId: workflowType, taskQueue: CONTROL_QUEUE, args: [] },
        memo: { [MARK]: own },
      },
      // Sets the marks of branches, resumes lost lanes, and removes what is old now, not with the next round.
      state: { triggerImmediately: true },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
