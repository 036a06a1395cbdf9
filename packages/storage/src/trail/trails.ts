/** The lists that are kept by day: what happened, and which deployments ended. */
import { ENDED_STATUSES, type EndedDeployment, type TrailEvent } from '@nereid/contracts';
import { z } from 'zod';
import type { ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from '../records/record-format.ts';
import { createDayLog, type DayLog, type DayLogOptions, type StoredEntry } from './day-log.ts';

/** `audit/2026/11/22/…`: the events of the audit trail, by their own ids. */
export type AuditTrail = DayLog<TrailEvent>;

/** `ended/2026/11/22/…`: deployments by the time of their end. */
export type EndedDeployments = DayLog<EndedDeployment>;

const text = z.string().min(1);

const of = <S extends z.ZodType>(entry: S) => z.looseObject({ at: z.iso.datetime(), id: text, entry });

export const trailEntry = z.looseObject({ version: z.literal(1), id: text, state: text });

const endedEntry = of(
  z.looseObject({
    version: z.literal(1),
    id: text,
    repository: z.looseObject({ owner: text, name: text }),
    rootName: text,
    revision: z.looseObject({ sha: text, branch: text }),
    trigger: z.enum(['merge', 'manual', 'preview']),
    requestedBy: z.string(),
    status: z.enum(ENDED_STATUSES),
    carrier: z.looseObject({ deploymentId: text, revision: text }).optional(),
    receivedAt: text,
    times: z.looseObject({}),
    endedAt: text,
  }),
);

export function createAuditTrail(store: ObjectStore, options: DayLogOptions = {}): AuditTrail {
  const format = recordFormat<StoredEntry<TrailEvent>>(of(trailEntry), 1);
  return createDayLog(store, { ...options, prefix: 'audit', format });
}

export function createEndedDeployments(store: ObjectStore, options: DayLogOptions = {}): EndedDeployments {
  const format = recordFormat<StoredEntry<EndedDeployment>>(endedEntry, 1);
  return createDayLog(store, { ...options, prefix: 'ended', format });
}
