/** Writes a week into storage, as the workers would have. */
import { DEFAULT_POOL } from '@nereid/domain/root';
import {
  createAuditTrail,
  createDeploymentRecords,
  createJobLogs,
  createLaneRecords,
  type ObjectStore,
} from '@nereid/storage';
import pMap from 'p-map';
import { eventsOf } from './events-of-week.ts';
import { logsOf } from './logs-of-week.ts';
import { recordsOfWeek, type ShaOf } from './records-of-week.ts';
import type { MadeUpDeployment, RepositoryWeek } from './week.ts';

export interface Stores {
  readonly records: ObjectStore;
  readonly logs: ObjectStore;
}

export interface KnownRepository {
  readonly installationId: number;
  readonly shaOf: ShaOf;
}

/** Some hundred small objects: a folder takes them as fast as they come. */
const AT_ONCE = 16;

export async function writeWeek(
  { records, logs }: Stores,
  week: RepositoryWeek,
  { installationId, shaOf }: KnownRepository,
): Promise<void> {
  const made = recordsOfWeek(week, installationId, shaOf);
  const deploymentRecords = createDeploymentRecords(records);
  const laneRecords = createLaneRecords(records);
  const trail = createAuditTrail(records);
  const pairs = week.deployments.flatMap((one, index) => {
    const record = made.deployments[index];
    return record === undefined ? [] : [{ one, record }];
  });
  await pMap(
    pairs,
    async ({ one, record }) => {
      await deploymentRecords.write(record);
      for (const { at, event } of eventsOf(one, record)) await trail.append(at, event.id, event);
      await writeLogs(logs, one);
    },
    { concurrency: AT_ONCE },
  );
  await pMap(made.lanes, (lane) => laneRecords.write(lane, null), { concurrency: AT_ONCE });
}

async function writeLogs(store: ObjectStore, made: MadeUpDeployment): Promise<void> {
  const jobLogs = createJobLogs(store).of(DEFAULT_POOL);
  for (const { jobId, text } of logsOf(made)) {
    const errors: unknown[] = [];
    const writer = jobLogs.writer(jobId, { mask: [], onError: (error) => errors.push(error) });
    await writer.write(Buffer.from(text));
    await writer.end();
    if (errors.length > 0) throw errors[0];
  }
  const { plan } = made.progress.jobs;
  if (plan && made.text !== undefined)
    await jobLogs.planTexts.write(plan.id, { text: made.text, leftOut: 0, isShortened: false });
}
