/**
 * One thing after the other. For local activities of a workflow: of two at the same time each comes back for itself, but in
 * a replay both together. What wakes up in between would then decide otherwise than it did, and the workflow be stuck.
 */
export function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
