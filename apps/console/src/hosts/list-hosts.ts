/** Answers `GET /api/v1/hosts`: hosts as they say of themselves, and what operators asked of them. Pure. */
import type { HostList, HostSummary } from '@nereid/api';
import { fullName } from '@nereid/domain/root';
import type { DrainRecord, HostRecord } from '@nereid/domain/host';
import type { Picture } from '../fleet/fleet.ts';
import { underWay } from '../fleet/lane-deployments.ts';
import { hostSummaryOf, inOrder } from './host-summary.ts';

export interface KnownHosts {
  readonly list: HostList;
  /** By host, the ids of what holds its slots, also of what is in repositories that a reader may not see. */
  readonly holders: ReadonlyMap<string, readonly string[]>;
}

export function listHosts(records: readonly HostRecord[], asked: readonly DrainRecord[], nowMs: number): KnownHosts {
  const drains = asked.filter(({ action }) => action === 'drain');
  const drainOf = new Map(drains.map(({ hostId, by, at }) => [hostId, { by, at }]));
  const items = records.map((record) => {
    const drain = drainOf.get(record.hostId);
    drainOf.delete(record.hostId);
    return { ...hostSummaryOf(record, nowMs), ...(drain && { drain }) };
  });
  return {
    list: { items: [...inOrder(items)], stopped: Array.from(drainOf, ([id, drain]) => ({ id, drain })) },
    holders: new Map(records.map(({ hostId, runs = [] }) => [hostId, runs])),
  };
}

/** The hosts with what runs on them, in the lanes of this picture. */
export function withRuns({ list, holders }: KnownHosts, picture: Picture): HostList {
  const laneOf = new Map(underWay(picture).map(({ id, lane }) => [id, lane]));
  const runsOf = ({ id: hostId }: HostSummary) =>
    (holders.get(hostId) ?? []).flatMap((id) => {
      const lane = laneOf.get(id);
      return lane === undefined ? [] : [{ id, repository: fullName(lane), rootName: lane.rootName }];
    });
  return { ...list, items: list.items.map((host) => ({ ...host, runs: runsOf(host) })) };
}
