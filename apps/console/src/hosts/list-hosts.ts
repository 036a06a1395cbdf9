/** Answers `GET /api/v1/hosts`: hosts as they say of themselves, and what operators asked of them. Pure. */
import type { HostList } from '@nereid/api';
import type { DrainRecord, HostRecord } from '@nereid/storage';
import { hostSummaryOf, inOrder } from './host-summary.ts';

export function listHosts(records: readonly HostRecord[], asked: readonly DrainRecord[], nowMs: number): HostList {
  const drains = asked.filter(({ action }) => action === 'drain');
  const drainOf = new Map(drains.map(({ hostId, by, at }) => [hostId, { by, at }]));
  const items = records.map((record) => {
    const drain = drainOf.get(record.hostId);
    drainOf.delete(record.hostId);
    return { ...hostSummaryOf(record, nowMs), ...(drain && { drain }) };
  });
  return { items: [...inOrder(items)], stopped: Array.from(drainOf, ([id, drain]) => ({ id, drain })) };
}
