/**
 * Has a person forgotten in the records of ended deployments that nobody needs any more to find out who brought a change, in the
 * summaries of these deployments, and in their events of the audit trail.
 */
import { createHash } from 'node:crypto';
import type { Redaction } from '@nereid/domain/deployment';
import type { Signed } from '@nereid/domain/signed';
import { dayOfKey, dayOfPacked, packedPrefix } from '../days/day-keys.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { deploymentFormat, endedDeploymentOf } from '../records/deployment-records.ts';
import { createEndedDeployments } from '../records/ended-deployments.ts';
import type { LaneName } from '../records/lane-records.ts';
import { deploymentsPrefix } from '../records/record-keys.ts';
import { nextLane, outsideWindow } from '../retention/outside-window.ts';
import { endOf } from '../retention/sweep.ts';
import { createAuditTrail, TRAIL } from '../trail/audit-trail.ts';
import { pseudonymise, type Person } from './pseudonymise.ts';

export interface Forgetting extends Person {
  /** Nothing is written. */
  readonly isDryRun: boolean;
  readonly sign: (redaction: Redaction) => Promise<Signed<Redaction>>;
}

export interface Forgotten {
  /** How many records name the person no more. */
  readonly records: number;
  readonly events: number;
  /** How many records name the person still, because their lanes need them. */
  readonly kept: number;
}

export interface Erasure {
  /** After a failure, another call goes on with what is left. Throws `VersionConflictError` where somebody else changes a record. */
  forget(forgetting: Forgetting): Promise<Forgotten>;
}

export function createErasure(store: ObjectStore): Erasure {
  return {
    async forget(forgetting) {
      const ids = new Set<string>();
      let [records, kept] = [0, 0];
      for (let lane = await nextLane(store, undefined); lane; lane = await nextLane(store, behind(lane))) {
        const found = await forgetInLane(store, lane, { forgetting, ids });
        records += found.records;
        kept += found.kept;
      }
      return { records, kept, events: await forgetInTrail(store, { forgetting, ids }) };
    },
  };
}

function behind(lane: LaneName): string {
  return endOf(deploymentsPrefix(lane, lane.rootName));
}

interface Asked {
  readonly forgetting: Forgetting;
  /** Of deployments whose events are nobody's evidence any more. */
  readonly ids: Set<string>;
}

async function forgetInLane(
  store: ObjectStore,
  lane: LaneName,
  { forgetting, ids }: Asked,
): Promise<Pick<Forgotten, 'records' | 'kept'>> {
  const old = new Map<string, string>();
  for await (const { key, place } of outsideWindow(store, lane)) old.set(key, place.id);
  for (const id of old.values()) ids.add(id);
  let [records, kept] = [0, 0];
  for await (const key of store.list(deploymentsPrefix(lane, lane.rootName))) {
    const isNamed = await forgetInRecord(store, key, { ...forgetting, isDryRun: forgetting.isDryRun || !old.has(key) });
    if (!isNamed) continue;
    if (old.has(key)) records += 1;
    else kept += 1;
  }
  return { records, kept };
}

/** Returns whether the record named the person. */
async function forgetInRecord(store: ObjectStore, key: string, forgetting: Forgetting): Promise<boolean> {
  const found = await store.get(key);
  if (found === undefined) return false;
  const record = deploymentFormat.decode(key, found.body);
  const deployment = pseudonymise(record.deployment, forgetting);
  if (deployment === record.deployment) return false;
  if (forgetting.isDryRun) return true;
  const unsigned = deployment.order === undefined ? deployment : { ...deployment, order: 'redacted' };
  const { pseudonym } = forgetting;
  const digest = createHash('sha256').update(JSON.stringify(unsigned)).digest('hex');
  const at = new Date().toISOString();
  const redacted = await forgetting.sign({ version: 1, deploymentId: deployment.id, pseudonym, at, digest });
  const changed = { ...record, deployment: unsigned, redacted };
  // Before the record, which is what another attempt finds.
  const summary = endedDeploymentOf(changed);
  if (summary) await createEndedDeployments(store).append(record.endedAt, deployment.id, summary);
  await store.put(key, deploymentFormat.encode(key, changed), { ifVersion: found.version });
  return true;
}

/** Returns how many events named the person. */
async function forgetInTrail(store: ObjectStore, { forgetting, ids }: Asked): Promise<number> {
  const trail = createAuditTrail(store);
  let events = 0;
  for (const day of await daysOf(store)) {
    let part = await trail.readPart(day);
    for (;;) {
      for (const { at, id, entry } of part.entries) {
        if (!('deploymentId' in entry) || !ids.has(entry.deploymentId)) continue;
        const changed = pseudonymise(entry, forgetting);
        if (changed === entry) continue;
        events += 1;
        // The single one counts, and takes the place of the packed one when the day is packed again.
        if (!forgetting.isDryRun) await trail.append(at, id, changed);
      }
      if (part.next === undefined) break;
      part = await trail.readPart(day, part.next);
    }
  }
  return events;
}

async function daysOf(store: ObjectStore): Promise<ReadonlySet<string>> {
  const days = new Set<string>();
  const add = (day: string | undefined) => day !== undefined && days.add(day);
  for await (const key of store.list(packedPrefix(TRAIL))) add(dayOfPacked(TRAIL, key));
  for await (const key of store.list(`${TRAIL}/`)) add(dayOfKey(TRAIL, key));
  return days;
}
