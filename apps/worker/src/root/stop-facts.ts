/** Who has stopped a root at this moment, by what storage holds and control has signed. */
import { describeTime, isInScope, placeOf } from '@nereid/config';
import type { GateFacts } from '@nereid/domain/gates';
import type { Repository, Root } from '@nereid/domain/root';
import type { WorkerContext } from '../platform/context.ts';

export type StopContext = Pick<WorkerContext, 'signatures'> & {
  readonly stopRecords: Pick<WorkerContext['stopRecords'], 'read'>;
};

/** People of all zones read it. */
const ZONE = 'UTC';

/** A stop that control has not signed stops nothing. */
export async function stopFacts(
  { stopRecords, signatures }: StopContext,
  { owner, name }: Repository,
  root: Pick<Root, 'name' | 'dir' | 'realDir'>,
): Promise<GateFacts['stop']> {
  const stored = await stopRecords.read({ owner, name });
  const proven = await Promise.all(
    stored.map((stop) => signatures.openIfGenuine('decision/stop', stop, { repository: { owner, name } })),
  );
  const now = Date.now();
  const stops = proven.flatMap((one) => {
    if (one === undefined) return [];
    const { repository, by, reason, directories, until } = one.body;
    const end = Date.parse(until);
    return isAbout(directories, root)
      ? [{ repository, by, reason, until: end, said: describeTime(ZONE, end, now) }]
      : [];
  });
  return { stops };
}

/** Whether a stop of these directories is about the root; of none, it is about all roots. */
export function isAbout(directories: readonly string[], root: Pick<Root, 'name' | 'dir' | 'realDir'>): boolean {
  return isInScope({ repositories: [], roots: directories }, { root: placeOf(root) });
}
