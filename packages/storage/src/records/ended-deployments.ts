/** The list of ended deployments, kept by day. */
import { ENDED_STATUSES, TRIGGERS, type EndedDeployment } from '@nereid/domain/deployment';
import { z } from 'zod';
import type { ObjectStore } from '../objects/object-store.ts';
import { createDayLog, storedEntry, type DayLog, type DayLogOptions, type StoredEntry } from '../days/day-log.ts';
import { recordFormat } from '../record-format.ts';

/** `ended/2026/11/22/…`: deployments by the time of their end. */
export type EndedDeployments = DayLog<EndedDeployment>;

const text = z.string().min(1);

const endedEntry = storedEntry(
  z.looseObject({
    version: z.literal(1),
    id: text,
    repository: z.looseObject({ owner: text, name: text }),
    rootName: text,
    revision: z.looseObject({ sha: text, branch: text }),
    trigger: z.enum(TRIGGERS),
    requestedBy: z.string(),
    status: z.enum(ENDED_STATUSES),
    carrier: z.looseObject({ deploymentId: text, revision: text }).optional(),
    receivedAt: text,
    times: z.looseObject({}),
    endedAt: text,
  }),
);

export function createEndedDeployments(store: ObjectStore, options: DayLogOptions = {}): EndedDeployments {
  const format = recordFormat<StoredEntry<EndedDeployment>>(endedEntry, 1);
  return createDayLog(store, { ...options, prefix: 'ended', format });
}
