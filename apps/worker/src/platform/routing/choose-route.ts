/** Whether a control worker has the workflows routed to its version. Pure. */

import type { ServerConfig } from '@nereid/config';

/** `manual`: people route, except to the first version, without which no workflow would run. */
export type Routing = ServerConfig['workflowRouting'];

/** As Temporal has it. */
export interface Routes extends Sighting {
  /** The build ids that were current at some time. */
  readonly everCurrent: readonly string[];
}

export interface Sighting {
  /** The build id of the version to which workflows go; undefined: to none, or to workers without a version. */
  readonly current: string | undefined;
  /** When a worker of the current version last asked for work; undefined: longer ago than Temporal remembers. */
  readonly currentSeenAt: number | undefined;
}

/** The findings of a control worker's looks so far. */
export interface Watched extends Sighting {
  /** The looks in a row at which no worker of the current version had asked for work since the look before. */
  readonly silentLooks: number;
}

export interface Choice {
  readonly kind: 'is current' | 'stays aside' | 'becomes current';
  /** For the log. */
  readonly because: string;
}

/** A worker asks again after a minute at most. */
const GONE_AFTER_MS = 90_000;

/**
 * By the clock alone, all workers are gone after a machine was paused. These looks take a minute, five seconds each, in which a
 * worker that is there asks again.
 */
export const SILENT_LOOKS = 13;

/** Pure. `before`: undefined at the first look, and after a look that failed. */
export function watchCurrent(before: Watched | undefined, { current, currentSeenAt }: Sighting): Watched {
  const isSilent =
    before !== undefined &&
    before.current === current &&
    (currentSeenAt === undefined || (before.currentSeenAt !== undefined && currentSeenAt <= before.currentSeenAt));
  return { current, currentSeenAt, silentLooks: isSilent ? before.silentLooks + 1 : 0 };
}

/**
 * A version becomes current if there is none, when its first worker starts, and when the workers of the current one are gone. A
 * version that was current before stays aside while the current one has workers: so a restart in the middle of an upgrade does not
 * turn it back.
 */
export function chooseRoute(routes: Routes & Watched, buildId: string, routing: Routing, now: number): Choice {
  const { current, everCurrent, currentSeenAt, silentLooks } = routes;
  if (current === buildId) return { kind: 'is current', because: 'workflows are routed to it' };
  if (current === undefined) return { kind: 'becomes current', because: 'workflows were routed to no version' };
  if (routing === 'manual') return { kind: 'stays aside', because: 'people route workflows here' };
  if (!everCurrent.includes(buildId))
    return { kind: 'becomes current', because: 'it is a version that was not here before' };
  const isSilent = currentSeenAt === undefined || now - currentSeenAt > GONE_AFTER_MS;
  if (isSilent && silentLooks >= SILENT_LOOKS)
    return { kind: 'becomes current', because: 'the current version has no workers any more' };
  return { kind: 'stays aside', because: 'the current version has workers' };
}
