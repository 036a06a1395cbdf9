/** The ends of previews. Those of one look come within seconds of each other, so they are shown together. */
export interface Ends {
  readonly underWay: readonly string[];
  /** Those that have ended since the last look began. */
  readonly ended: readonly string[];
  /** When the first one ended that is not shown yet, in epoch milliseconds; infinite when all are. */
  readonly since: number;
}

export const NO_ENDS: Ends = { underWay: [], ended: [], since: Infinity };

/** A look begins: until it is answered, nobody knows which previews are under way. */
export function forgetEnds({ since }: Ends): Ends {
  return { ...NO_ENDS, since };
}

/** Awaits the ends of these previews, but for those that have come since the look began. */
export function awaitEnds(ends: Ends, deploymentIds: readonly string[]): Ends {
  return { ...ends, underWay: deploymentIds.filter((id) => !ends.ended.includes(id)) };
}

/** A preview has ended; undefined when the message does not say which one. */
export function addEnd(ends: Ends, deploymentId: string | undefined, now: number): Ends {
  const since = Math.min(ends.since, now);
  if (deploymentId === undefined) return { ...ends, since };
  const ended = ends.ended.includes(deploymentId) ? ends.ended : [...ends.ended, deploymentId];
  return { underWay: ends.underWay.filter((id) => id !== deploymentId), ended, since };
}

/**
 * When the ends are to be shown that are not shown yet, in epoch milliseconds; infinite when there are none. A slow preview hides
 * the ends of the others for no longer than `othersMs`.
 */
export function endsDueAt({ underWay, since }: Ends, othersMs: number): number {
  return underWay.length === 0 ? since : since + othersMs;
}

/** All that came by now are being shown. */
export function endsShown(ends: Ends): Ends {
  return { ...ends, since: Infinity };
}
