/** Whether a control worker has the workflows routed to its version. Pure. */

/** `manual`: people route, except to the first version, without which no workflow would run. */
export const ROUTINGS = ['automatic', 'manual'] as const;
export type Routing = (typeof ROUTINGS)[number];

/** As Temporal has it. */
export interface Routes {
  /** The build id of the version to which workflows go; undefined: to none, or to workers without a version. */
  readonly current: string | undefined;
  /** The build ids that were current at some time. */
  readonly everCurrent: readonly string[];
  /** When a worker of the current version last asked for work; undefined: longer ago than Temporal remembers. */
  readonly currentSeenAt: number | undefined;
}

export interface Choice {
  readonly kind: 'is current' | 'stays aside' | 'becomes current';
  /** For the log. */
  readonly because: string;
}

/** A worker asks again after a minute at most. */
const GONE_AFTER_MS = 90_000;

/**
 * A version becomes current if there is none, when its first worker starts, and when the workers of the current one are gone. A
 * version that was current before stays aside while the current one has workers: so a restart in the middle of an upgrade does not
 * turn it back.
 */
export function chooseRoute(routes: Routes, buildId: string, routing: Routing, now: number): Choice {
  const { current, everCurrent, currentSeenAt } = routes;
  if (current === buildId) return { kind: 'is current', because: 'workflows are routed to it' };
  if (current === undefined) return { kind: 'becomes current', because: 'workflows were routed to no version' };
  if (routing === 'manual') return { kind: 'stays aside', because: 'people route workflows here' };
  if (!everCurrent.includes(buildId))
    return { kind: 'becomes current', because: 'it is a version that was not here before' };
  if (currentSeenAt === undefined || now - currentSeenAt > GONE_AFTER_MS)
    return { kind: 'becomes current', because: 'the current version has no workers any more' };
  return { kind: 'stays aside', because: 'the current version has workers' };
}
