/** A host as people see it: from the record that it writes every few seconds. Pure. */
import type { HostSummary } from '@nereid/api';
import { defined } from '@nereid/domain/defined';
import { DEFAULT_POOL } from '@nereid/domain/root';
import type { HostRecord } from '@nereid/domain/host';

/** Four writes of a host have failed by then. */
const AWAY_AFTER_MS = 60_000;

export function hostSummaryOf(record: HostRecord, nowMs: number): HostSummary {
  const { hostId: id, pool = DEFAULT_POOL, slots, previews, disk, release, startedAt, at } = record;
  return {
    id,
    pool,
    state: stateOf(record, nowMs),
    slots,
    ...defined({ previews }),
    ...(disk !== undefined && { disk: { freeBytes: disk.freeBytes, totalBytes: disk.totalBytes } }),
    ...defined({ release, startedAt }),
    at,
  };
}

function stateOf({ at, draining, slots }: HostRecord, nowMs: number): HostSummary['state'] {
  if (nowMs - Date.parse(at) > AWAY_AFTER_MS) return 'away';
  if (draining) return 'draining';
  return slots.used >= slots.total ? 'full' : 'ready';
}

/** Hosts that are away come first: somebody may have to look after them. */
export function inOrder(hosts: readonly HostSummary[]): readonly HostSummary[] {
  return hosts.toSorted(
    (a, b) =>
      ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || a.pool.localeCompare(b.pool) || a.id.localeCompare(b.id),
  );
}

const ORDER: readonly HostSummary['state'][] = ['away', 'draining', 'full', 'ready'];
