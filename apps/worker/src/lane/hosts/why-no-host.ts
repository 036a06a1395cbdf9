/** Says in a sentence why a claim waits: a pure function of the last records of hosts. */
import type { HostRecord } from '@nereid/storage';

/** Hosts write their record every 15 s. */
const HOST_SILENT_MS = 60_000;

export function isHeardOf({ at }: HostRecord, now: number): boolean {
  return now - Date.parse(at) < HOST_SILENT_MS;
}

export function whyNoHost(records: readonly HostRecord[], now: number): string {
  const hosts = records.filter((record) => isHeardOf(record, now));
  const serving = hosts.filter(({ draining }) => !draining);
  const draining = hosts.length - serving.length;
  return `Waiting for a host: ${serving.length === 0 ? noneServes(draining) : slotsOf(serving, draining)}`;
}

function noneServes(draining: number): string {
  if (draining === 0) return 'no host is running: start a worker';
  return `${counted(draining)} draining, and no other is running: start a worker`;
}

function slotsOf(serving: readonly HostRecord[], draining: number): string {
  const used = sum(serving.map(({ slots }) => slots.used));
  const total = sum(serving.map(({ slots }) => slots.total));
  const inUse = `${used} of ${total} slots in use on ${counted(serving.length)}`;
  return draining === 0 ? inUse : `${inUse} (${counted(draining)} draining)`;
}

function counted(hosts: number): string {
  return hosts === 1 ? '1 host' : `${hosts} hosts`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
