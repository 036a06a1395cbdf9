/** Says in a sentence why a claim waits: a pure function of the last records of hosts. */
import { DEFAULT_POOL } from '@nereid/domain/root';
import type { HostRecord } from '@nereid/domain/host';

/** Hosts write their record every 15 s. */
const HOST_SILENT_MS = 60_000;

export function isHeardOf({ at }: HostRecord, now: number): boolean {
  return now - Date.parse(at) < HOST_SILENT_MS;
}

export function whyNoHost(records: readonly HostRecord[], now: number, pool: string = DEFAULT_POOL): string {
  const hosts = records.filter((record) => isHeardOf(record, now) && (record.pool ?? DEFAULT_POOL) === pool);
  const serving = hosts.filter(({ draining }) => !draining);
  const draining = hosts.length - serving.length;
  const why = serving.length === 0 ? noneServes(draining, pool) : slotsOf(serving, draining);
  return `Waiting for a host${pool === DEFAULT_POOL ? '' : ` of the pool ${pool}`}: ${why}`;
}

function noneServes(draining: number, pool: string): string {
  const remedy = pool === DEFAULT_POOL ? 'start a worker' : `start a worker with POOL=${pool}`;
  if (draining === 0) return `no host is running: ${remedy}`;
  return `${counted(draining)} draining, and no other is running: ${remedy}`;
}

function slotsOf(serving: readonly HostRecord[], draining: number): string {
  const { used, total } = sum(serving.map(({ slots }) => slots));
  const inUse = `${used} of ${total} slots in use on ${counted(serving.length)}`;
  return draining === 0 ? inUse : `${inUse} (${counted(draining)} draining)`;
}

function counted(hosts: number): string {
  return hosts === 1 ? '1 host' : `${hosts} hosts`;
}

function sum(slots: readonly HostRecord['slots'][]): HostRecord['slots'] {
  return slots.reduce((all, { used, total }) => ({ used: all.used + used, total: all.total + total }), NO_SLOTS);
}

const NO_SLOTS: HostRecord['slots'] = { used: 0, total: 0 };
