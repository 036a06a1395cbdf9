/** A week while it is made up: what people propose and merge, and what is deployed of it. */
import type { PastChange } from '@nereid/github-stand-in';
import type { Random } from '../random.ts';
import type { DeployedRoot } from '../stack/own-states.ts';
import type { Edit } from './edit.ts';
import { failureOf } from './fate/failures.ts';
import { LONGEST_MS, type Fate } from './fate/fate.ts';
import { QUIET_MS, type Incident } from './fate/incidents.ts';
import { lanesOfWeek, type LanesOfWeek } from './lanes-of-week.ts';
import { WRITERS, type MadeUpRepository, type Writer } from './made-up-repositories.ts';
import { HOUR_MS, MINUTE_MS } from './moments.ts';
import type { MadeUpDeployment } from './week.ts';

/** Ids of hosts. */
export interface Hosts {
  readonly present: string;
  readonly lost: string;
}

export interface WeekOptions {
  readonly random: Random;
  readonly repository: MadeUpRepository;
  readonly hosts: Hosts;
  readonly nowMs: number;
  /** Those of this repository. */
  readonly incidents: readonly Incident[];
}

export interface Merge {
  readonly root: DeployedRoot;
  /** Of the pull request. */
  readonly number: number;
  readonly atMs: number;
  readonly edits: readonly Edit[];
  readonly author: Writer;
}

export interface WeekUnderWay extends Pick<LanesOfWeek, 'versionOf' | 'setVersion'> {
  readonly random: Random;
  readonly repository: MadeUpRepository;
  readonly hosts: Hosts;
  /** The roots to which something may happen at that time. */
  readonly freeRoots: (atMs: number) => readonly DeployedRoot[];
  /** Merged at that time, unless it stays open. Returns the number of the pull request. */
  readonly propose: (change: Omit<PastChange, 'openedAt' | 'merged'>, atMs: number, staysOpen?: boolean) => number;
  /** Deploys a merge to a root, and once more what fails. */
  readonly deploy: (merge: Merge) => void;
  /** Deploys what has to end like this. */
  readonly deployOnce: LanesOfWeek['deploy'];
  readonly changes: readonly PastChange[];
  readonly deployments: readonly MadeUpDeployment[];
}

/** Who looks into a failure needs some time; the last hours have none. */
const FAILS_BEFORE_MS = 6 * HOUR_MS;

/** Everything has ended by then. */
const ENDED_BEFORE_MS = 5 * MINUTE_MS;

export function openWeek({ random, repository, hosts, nowMs, incidents }: WeekOptions): WeekUnderWay {
  const lanes = lanesOfWeek(random, nowMs);
  const changes: PastChange[] = [];
  const incidentAt = ({ name }: DeployedRoot) =>
    nowMs - (incidents.find(({ rootName }) => rootName === name)?.agoMs ?? -Infinity);
  return {
    ...{ random, repository, hosts, changes, deployments: lanes.deployments },
    versionOf: lanes.versionOf,
    setVersion: lanes.setVersion,
    deployOnce: lanes.deploy,
    freeRoots: (atMs) =>
      repository.roots.filter((root) => atMs < incidentAt(root) - QUIET_MS && lanes.isFree(root, atMs)),
    propose(change, atMs, staysOpen = false) {
      const openedMs = atMs - (10 + random.integer(10 * 60)) * MINUTE_MS;
      const merged = staysOpen ? {} : { merged: { by: random.pick(WRITERS), at: iso(atMs) } };
      changes.push({ ...change, openedAt: iso(openedMs), ...merged });
      return changes.length;
    },
    deploy({ atMs, edits, author, ...place }) {
      const fate = atMs > nowMs - FAILS_BEFORE_MS ? 'succeeded' : fateOf(random);
      const failure = failureOf(fate, place.root.name);
      const lastMs = Math.min(nowMs, incidentAt(place.root)) - ENDED_BEFORE_MS;
      const how = { edits, author, hostId: hosts.present, failure, lastMs };
      // One after the other, as the lanes of a push are told of it.
      const receivedMs = atMs + 1_000 + random.integer(2_000);
      const endedMs = lanes.deploy({ ...place, atMs: receivedMs, kind: 'merge' }, { ...how, fate });
      if (fate !== 'plan-failed' && fate !== 'apply-failed') return;
      const againMs = endedMs + (4 + random.integer(45)) * MINUTE_MS;
      if (againMs > lastMs - LONGEST_MS) return;
      lanes.deploy({ ...place, atMs: againMs, kind: 'rerun' }, { ...how, fate: 'succeeded' });
    },
  };
}

function fateOf(random: Random): Fate {
  if (random.chance(0.04)) return 'plan-failed';
  if (random.chance(0.06)) return 'apply-failed';
  return random.chance(0.04) ? 'rejected' : 'succeeded';
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
