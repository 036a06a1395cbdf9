/** The lanes of a repository while its week is made up: what each root has, until when it is busy, and what was deployed. */
import type { Progress } from '@nereid/domain/deployment';
import type { Random } from '../random.ts';
import type { DeployedRoot } from '../stack/own-states.ts';
import { firstVersion } from './edit.ts';
import { liveOut, type Beginning } from './fate/fate.ts';
import { HOUR_MS } from './moments.ts';
import { uuid } from './uuid.ts';
import type { MadeUpDeployment } from './week.ts';

export interface Request {
  readonly root: DeployedRoot;
  readonly number: number;
  readonly atMs: number;
  /** A re-run is of a merge. */
  readonly kind: 'merge' | 'manual' | 'rerun';
}

export interface LanesOfWeek {
  /** Whether what is asked for at that time would not wait for long. */
  readonly isFree: (root: DeployedRoot, atMs: number) => boolean;
  /** The version of a resource that the root has; 0 for none. */
  readonly versionOf: (root: DeployedRoot, resource: string) => number;
  readonly setVersion: (root: DeployedRoot, resource: string, version: number) => void;
  /** Deploys it once the lane is free, and returns the time of its end. */
  readonly deploy: (request: Request, how: Omit<Beginning, 'root' | 'startMs' | 'isByHand'>) => number;
  readonly deployments: readonly MadeUpDeployment[];
}

/** Long ago, a merge may have waited for a review; lately nothing does, so that everything has ended by now. */
const WAIT_MS = 3 * HOUR_MS;
const LATELY_MS = 30 * HOUR_MS;

export function lanesOfWeek(random: Random, nowMs: number): LanesOfWeek {
  const busyUntil = new Map<string, number>();
  const versions = new Map<string, number>();
  const deployments: MadeUpDeployment[] = [];
  const keyOf = ({ name }: DeployedRoot, resource: string) => `${name}/${resource}`;
  return {
    deployments,
    isFree: ({ name }, atMs) => (busyUntil.get(name) ?? 0) < atMs + (atMs > nowMs - LATELY_MS ? 0 : WAIT_MS),
    versionOf: (root, resource) => versions.get(keyOf(root, resource)) ?? firstVersion(resource),
    setVersion: (root, resource, version) => versions.set(keyOf(root, resource), version),
    deploy({ root, number, atMs, kind }, how) {
      const startMs = Math.max(atMs, busyUntil.get(root.name) ?? 0) + 100 + random.integer(900);
      const { status, progress, endedMs, text } = liveOut(random, {
        ...how,
        root,
        startMs,
        isByHand: kind === 'manual',
      });
      busyUntil.set(root.name, endedMs);
      const refused = refusedAt(random, progress);
      deployments.push({
        id: uuid(random),
        requestId: `${uuid(random)}:${root.name}`,
        ...{ root, number, requestedBy: how.author },
        trigger: kind === 'merge' ? 'merge' : 'manual',
        rerun: kind === 'rerun',
        receivedAt: iso(atMs),
        endedAt: iso(endedMs),
        status,
        progress: { ...progress, times: { queued: iso(atMs), ...progress.times } },
        edits: how.edits,
        ...(text !== undefined && { text }),
        ...(refused !== undefined && { refused: { by: 'mallory', at: refused } }),
      });
      return endedMs;
    },
  };
}

/** Now and then, somebody who may only read presses Confirm, before somebody else answers. */
function refusedAt(random: Random, { times, review }: Progress): string | undefined {
  const from = times['awaiting-review'];
  if (from === undefined || review === undefined || !random.chance(0.03)) return undefined;
  return iso((Date.parse(from) + Date.parse(review.at)) / 2);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
