/** The ends of previews. Those of one look come within seconds of each other, so they are shown together. */
export interface Ends {
  /** From now on until `await`, nobody knows which previews are under way. */
  forget(): void;
  /** Awaits the ends of these previews, but for those that have come since `forget`. */
  await(deploymentIds: readonly string[]): void;
  /** A preview has ended; undefined when the message does not say which one. */
  add(deploymentId: string | undefined, now: number): void;
  /** When the ends are to be shown that are not shown yet, in epoch milliseconds; infinite when there are none. */
  readonly showAt: number;
  /** All that came by now are being shown. */
  shown(): void;
}

/** A slow preview hides the ends of the others for no longer than `othersMs`. */
export function createEnds(othersMs: number): Ends {
  const underWay = new Set<string>();
  const ended = new Set<string>();
  let since = Infinity;
  return {
    forget() {
      underWay.clear();
      ended.clear();
    },
    await(deploymentIds) {
      for (const id of deploymentIds) if (!ended.has(id)) underWay.add(id);
    },
    add(deploymentId, now) {
      since = Math.min(since, now);
      if (deploymentId === undefined) return;
      underWay.delete(deploymentId);
      ended.add(deploymentId);
    },
    get showAt() {
      return underWay.size === 0 ? since : since + othersMs;
    },
    shown() {
      since = Infinity;
    },
  };
}
