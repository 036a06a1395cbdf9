/** Makes a namespace in Temporal that of this installation, before control takes a task there. */
import { ConfigurationError } from '@nereid/config';
import { WATCH_SCHEDULE } from '@nereid/domain/temporal-names';
import type { OwnNamespaces, TemporalNamespace } from '@nereid/storage';
import { ScheduleNotFoundError, type Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { refuseNamespace, whyNotOwn, type InstallationMarks } from './installation-mark.ts';
import { ensureSchedules } from './schedules.ts';

interface Context {
  readonly temporal: Pick<Client, 'schedule' | 'options' | 'workflowService'>;
  readonly ownNamespaces: OwnNamespaces;
  readonly logger: Pick<Logger, 'error'>;
}

/** Throws a ConfigurationError where the namespace belongs to another installation. One without a mark belongs to nobody yet. */
export async function claimNamespace(context: Context, marks: InstallationMarks): Promise<void> {
  const namespace = await readNamespace(context.temporal);
  await requireOwn(context, marks, namespace);
  if (await createSchedules(context, marks)) await remember(context, namespace);
}

async function readNamespace({ workflowService, options }: Context['temporal']): Promise<TemporalNamespace> {
  const { namespaceInfo } = await workflowService.describeNamespace({ namespace: options.namespace });
  if (!namespaceInfo?.id) throw new Error(`expected Temporal to know an id of the namespace ${options.namespace}`);
  return { id: namespaceInfo.id, name: options.namespace };
}

async function requireOwn(
  { temporal, ownNamespaces, logger }: Context,
  marks: InstallationMarks,
  namespace: TemporalNamespace,
): Promise<void> {
  const why = await whyNotOwn(temporal, marks);
  if (why === undefined) return;
  if (!(await ownNamespaces.has(namespace))) refuseNamespace(why);
  logger.error(
    { namespace: namespace.name, schedule: WATCH_SCHEDULE, why },
    'somebody else wrote to the schedule of the watch, or the earlier ORDERS_KEY is lost: the namespace is of this installation, as storage says, so the schedule is made again; find out who reaches Temporal',
  );
  await removeWatch(temporal);
}

/** Whole, because whoever wrote the mark may have written anything else in it. */
async function removeWatch({ schedule }: Context['temporal']): Promise<void> {
  try {
    await schedule.getHandle(WATCH_SCHEDULE).delete();
  } catch (error) {
    // Another worker of this installation was faster.
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}

/** Whether they carry the mark. The worker works without schedules too: an operator may not allow it to create them. */
async function createSchedules({ temporal, logger }: Context, marks: InstallationMarks): Promise<boolean> {
  try {
    await ensureSchedules(temporal, marks);
    return true;
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    logger.error(
      { err: error },
      'a schedule could not be created: lost webhooks stay lost, and nobody watches over workflows',
    );
    return false;
  }
}

/** Without it, control works until somebody else writes to the schedule. */
async function remember({ ownNamespaces, logger }: Context, namespace: TemporalNamespace): Promise<void> {
  try {
    await ownNamespaces.add(namespace);
  } catch (error) {
    logger.error(
      { err: error, namespace: namespace.name },
      'storage could not be told that the namespace is of this installation: control would not start if somebody else wrote to its schedule',
    );
  }
}
