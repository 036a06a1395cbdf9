/** What happened, kept by day. */
import type { TrailEvent } from '@nereid/domain/trail';
import { trailEntry } from '@nereid/domain/trail/record';
import type { ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from '../record-format.ts';
import { createDayLog, storedEntry, type DayLog, type DayLogOptions, type StoredEntry } from '../days/day-log.ts';

/** The events of its days are below it. */
export const TRAIL = 'audit';

/** `audit/2026/11/22/…`: the events of the audit trail, by their own ids. */
export type AuditTrail = DayLog<TrailEvent>;

export function createAuditTrail(store: ObjectStore, options: DayLogOptions = {}): AuditTrail {
  const format = recordFormat<StoredEntry<TrailEvent>>(storedEntry(trailEntry), 1);
  return createDayLog(store, { ...options, prefix: TRAIL, format });
}
