/** The list of ended deployments, kept by day. */
import type { EndedDeployment } from '@nereid/domain/deployment';
import { endedDeployment } from '@nereid/domain/deployment/record';
import type { ObjectStore } from '../objects/object-store.ts';
import { createDayLog, storedEntry, type DayLog, type DayLogOptions, type StoredEntry } from '../days/day-log.ts';
import { recordFormat } from '../record-format.ts';

/** The deployments of its days are below it. */
export const ENDED = 'ended';

/** `ended/2026/11/22/…`: deployments by the time of their end. */
export type EndedDeployments = DayLog<EndedDeployment>;

export function createEndedDeployments(store: ObjectStore, options: DayLogOptions = {}): EndedDeployments {
  const format = recordFormat<StoredEntry<EndedDeployment>>(storedEntry(endedDeployment), 1);
  return createDayLog(store, { ...options, prefix: ENDED, format });
}
