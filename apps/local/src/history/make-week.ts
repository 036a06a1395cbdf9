/** Makes up a week of a repository: what was proposed and merged, and what became of it. Pure: a seed and a time say it all. */
import { BASELINE, baselineFile } from '../fleet/root-files.ts';
import type { Random } from '../random.ts';
import { baselineEdit } from './edit.ts';
import { INCIDENTS } from './fate/incidents.ts';
import type { MadeUpRepository } from './made-up-repositories.ts';
import { DAY_MS, isLate, MINUTE_MS, workingMoments } from './moments.ts';
import { unusualChange } from './unusual-change.ts';
import { usualChange } from './usual-change.ts';
import { openWeek, type Hosts, type WeekUnderWay } from './week-under-way.ts';
import type { RepositoryWeek } from './week.ts';

/** Of a repository of a dozen roots. */
const MERGES_A_DAY = 4;

/** Everything that was merged has ended by now. */
const QUIET_END_MS = 50 * MINUTE_MS;

/** Long enough ago that all its plans have been reviewed. */
const ROLLOUT_MS = 3 * DAY_MS;

export interface Chance {
  readonly random: Random;
  readonly hosts: Hosts;
  readonly nowMs: number;
}

export function makeWeek(repository: MadeUpRepository, { random, hosts, nowMs }: Chance): RepositoryWeek {
  const incidents = INCIDENTS.filter((incident) => incident.repository === repository.name);
  const week = openWeek({ random, repository, hosts, nowMs, incidents });
  const moments = workingMoments(random, nowMs - QUIET_END_MS, MERGES_A_DAY);
  const rollout = moments.findLast((atMs) => atMs < nowMs - ROLLOUT_MS && !isLate(atMs));
  const events = [
    ...moments.map((atMs) => ({ atMs, play: atMs === rollout ? changeEverywhere : usualChange })),
    ...incidents.map((incident) => ({
      atMs: nowMs - incident.agoMs,
      play: (under: WeekUnderWay, atMs: number) => {
        unusualChange(under, incident, atMs);
      },
    })),
  ];
  for (const { atMs, play } of events.toSorted((one, other) => one.atMs - other.atMs)) play(week, atMs);
  const { changes, deployments } = week;
  return { repository, createdAt: new Date(nowMs - 8 * DAY_MS).toISOString(), changes, deployments };
}

/** The days for which the module keeps logs, before and after it is changed. */
const KEPT_DAYS = [30, 60] as const;

/** One merge deploys all roots. */
function changeEverywhere({ repository, propose, deploy }: WeekUnderWay, atMs: number): void {
  const [from, to] = KEPT_DAYS;
  const author = 'carol';
  const change = { title: `Keep logs for ${to} days`, author, branch: 'keep-logs' };
  const number = propose({ ...change, files: { [BASELINE]: baselineFile(to) } }, atMs);
  for (const root of repository.roots) deploy({ root, number, atMs, edits: [baselineEdit(root, from, to)], author });
}
