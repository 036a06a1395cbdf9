/** What the tests of sweeps are built from. */
import type { DeploymentRecord } from '@nereid/domain/deployment';
import type { ObjectStore } from '../objects/object-store.ts';
import { createJobLogs } from '../logs/job-logs.ts';
import { createDeploymentRecords } from '../records/deployment-records.ts';
import { aDeploymentRecord } from '../testing.ts';
import type { Sweeper } from './sweeper.ts';
import type { Sweep, Swept } from './sweep.ts';

/** A UUID, as deployments have one. */
export function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** The records of so many deployments of one lane, the oldest first. They ended an hour after one another, from this day on. */
export async function endDeployments(store: ObjectStore, count: number, from: string): Promise<void> {
  const records = createDeploymentRecords(store);
  for (let number = 1; number <= count; number += 1) await records.write(endedOf(number, from));
}

function endedOf(number: number, from: string): DeploymentRecord {
  return aDeploymentRecord(idOf(number), new Date(Date.parse(from) + number * 3_600_000).toISOString());
}

/** The log of the plan of a deployment. */
export async function writeLog(store: ObjectStore, number: number): Promise<void> {
  const writer = createJobLogs(store)
    .of('default')
    .writer(`${idOf(number)}-plan-1`, { mask: [], onError: () => undefined });
  await writer.write(Buffer.from('Plan: 1 to add\n'));
  await writer.end();
}

/** Everything was written before this, by the clock of the store. */
export const soon = () => Date.now() + 3_600_000;

/** One call after the other, until nothing is left. */
export async function sweepAll(sweep: Sweeper['logs'], options: Partial<Sweep> = {}): Promise<readonly Swept[]> {
  const calls: Swept[] = [];
  let after: string | undefined;
  do {
    const swept = await sweep({ beforeMs: soon(), onFailure: fail, ...options, ...(after !== undefined && { after }) });
    calls.push(swept);
    after = swept.next;
  } while (after !== undefined);
  return calls;
}

function fail(error: unknown): never {
  throw error;
}
