/**
 * All lanes, as the console keeps them in memory: their records in storage, joined with what Temporal says of the deployments that
 * run. A page that is asked for lists the keys, and reads only the records that have changed.
 */
import { setTimeout } from 'node:timers/promises';
import type { LaneName } from '@nereid/domain/console';
import { laneWorkflowId } from '@nereid/domain/lane';
import { fullName } from '@nereid/domain/root';
import { isUnreadableRecord, type LaneRecords, type StampedLane } from '@nereid/storage';
import pMap from 'p-map';
import type { Logger } from 'pino';
import type { AskStatuses } from '../platform/temporal/ask-statuses.ts';
import type { AskStuck } from '../platform/temporal/ask-stuck.ts';
import { laneOfRecord, type FleetDeployment, type FleetLane } from './fleet-lane.ts';
import type { ReadWaits } from './read-waits.ts';

export interface Picture {
  /** By repository and root. */
  readonly lanes: readonly FleetLane[];
  /** What ran or waited moments ago, and may not be among what has ended yet. */
  readonly departed: readonly Departed[];
  /** The sources that did not answer: the picture is older, or has no states of what runs. */
  readonly unavailable: readonly ('storage' | 'temporal')[];
}

export interface Departed {
  readonly lane: LaneName;
  readonly deployment: FleetDeployment;
}

export type ReadFleet = () => Promise<Picture>;

export interface FleetOptions {
  readonly laneRecords: Pick<LaneRecords, 'list' | 'read'>;
  readonly askStatuses: AskStatuses;
  readonly askStuck: AskStuck;
  readonly readWaits: ReadWaits;
  readonly logger: Pick<Logger, 'warn'>;
  /** For tests. */
  readonly now?: () => number;
  readonly patienceMs?: number;
  readonly firstPatienceMs?: number;
}

/** However many pages are open, storage and Temporal are asked this often. */
export const FRESH_MS = 3_000;

/** Longer than the lists of what has ended are kept in memory. */
const DEPARTED_MS = 20_000;

/** A storage that hangs holds up nobody who was here before. */
const PATIENCE_MS = 2_000;

/** The first ones see the lanes that were read until then. Five thousand of a bucket take a few seconds. */
const FIRST_PATIENCE_MS = 10_000;

/** Storage answers in milliseconds; more at once would only wait there. */
const AT_ONCE = 32;

/** Who asks while the lanes are read waits for the same reading. */
export function createFleet(options: FleetOptions): ReadFleet {
  const { laneRecords, askStatuses, askStuck, readWaits, logger, now = Date.now } = options;
  const { patienceMs = PATIENCE_MS, firstPatienceMs = FIRST_PATIENCE_MS } = options;
  const known = new Map<string, { readonly stamp: string; readonly lane: FleetLane }>();
  let departed: readonly (Departed & { readonly untilMs: number })[] = [];
  let picture: Picture | undefined;
  let readAtMs = -Infinity;
  let reading: Promise<Picture> | undefined;
  let readingRecords: Promise<boolean> | undefined;

  async function readLane({ stamp, ...name }: StampedLane): Promise<void> {
    const key = keyOf(name);
    const before = known.get(key);
    if (before?.stamp === stamp) return;
    const lane = { ...(await laneOf(name)), stamp };
    known.set(key, { stamp, lane });
    const ids = new Set(heldBy(lane).map(({ id }) => id));
    const gone = before === undefined ? [] : heldBy(before.lane).filter(({ id }) => !ids.has(id));
    const untilMs = now() + DEPARTED_MS;
    departed = [...departed, ...gone.map((deployment) => ({ lane: name, deployment, untilMs }))];
  }

  async function laneOf(name: LaneName): Promise<Omit<FleetLane, 'stamp'>> {
    try {
      return laneOfRecord(name, (await laneRecords.read(name, name.rootName))?.record);
    } catch (error) {
      if (!isUnreadableRecord(error)) throw error;
      logger.warn({ err: error, repository: fullName(name), root: name.rootName }, 'the record of a lane is broken');
      return { ...laneOfRecord(name, undefined), isUnreadable: true };
    }
  }

  async function readRecords(): Promise<boolean> {
    try {
      const listed: StampedLane[] = [];
      for await (const lane of laneRecords.list()) listed.push(lane);
      await pMap(listed, readLane, { concurrency: AT_ONCE });
      const names = new Set(listed.map(keyOf));
      for (const key of known.keys()) if (!names.has(key)) known.delete(key);
      return true;
    } catch (error) {
      logger.warn({ err: error }, 'the records of lanes cannot be read: pages show what was known before');
      return false;
    }
  }

  /** False when storage fails or takes too long: then the lanes are those that were known before, or read until then. */
  function readInTime(): Promise<boolean> {
    readingRecords ??= readRecords().finally(() => (readingRecords = undefined));
    const timeMs = picture === undefined ? firstPatienceMs : patienceMs;
    return Promise.race([readingRecords, setTimeout(timeMs, false, { ref: false })]);
  }

  async function read(): Promise<Picture> {
    const startedMs = now();
    const [isRead, statuses, stuck] = await Promise.all([readInTime(), askStatuses(), askStuck()]);
    const states = statuses.kind === 'found' ? statuses.value : new Map<string, never>();
    departed = departed.filter(({ untilMs }) => untilMs > startedMs);
    const listed = [...known.values()].map(({ lane }) => withStatus(lane, states));
    const running = statuses.kind === 'found' ? listed.flatMap((lane) => lane.running ?? []) : [];
    const waits = await readWaits(running);
    const lanes = listed.map((lane) => withStuck(withOwnWait(lane, waits), stuck));
    picture = {
      lanes: lanes.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other))),
      departed: departed.map(({ lane, deployment }) => ({ lane, deployment })),
      unavailable: [
        ...(isRead ? [] : (['storage'] as const)),
        ...(statuses.kind === 'found' ? [] : (['temporal'] as const)),
      ],
    };
    readAtMs = startedMs;
    return picture;
  }

  return () => {
    if (picture !== undefined && now() - readAtMs < FRESH_MS) return Promise.resolve(picture);
    reading ??= read().finally(() => (reading = undefined));
    return reading;
  };
}

function heldBy({ running, waiting }: FleetLane): readonly FleetDeployment[] {
  return [...(running ? [running] : []), ...waiting];
}

/** `owner/name/root`: sorts as people look for it. */
export function keyOf({ owner, name, rootName }: LaneName): string {
  return `${owner}/${name}/${rootName}`;
}

function withStatus(lane: FleetLane, states: ReadonlyMap<string, FleetDeployment['status']>): FleetLane {
  const status = lane.running && states.get(lane.running.id);
  return lane.running && status !== undefined ? { ...lane, running: { ...lane.running, status } } : lane;
}

function withOwnWait(lane: FleetLane, waits: Awaited<ReturnType<ReadWaits>>): FleetLane {
  const wait = lane.running && waits.get(lane.running.id);
  return lane.running && wait ? { ...lane, running: { ...lane.running, ...wait } } : lane;
}

function withStuck(lane: FleetLane, stuck: ReadonlySet<string>): FleetLane {
  if (stuck.size === 0) return lane;
  const isStuck = stuck.has(laneWorkflowId(lane, lane.rootName)) || (lane.running && stuck.has(lane.running.id));
  return isStuck ? { ...lane, isStuck } : lane;
}
