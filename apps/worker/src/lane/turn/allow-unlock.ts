/** Remembers that a person may lift the lock of a lane, where control looks before it gives permission to apply. */
import type { AllowedUnlock, TakenTurn } from '@nereid/domain/lane';
import type { Repository } from '@nereid/domain/root';
import { overAt, type TurnRecords } from './end-of-turn.ts';

/** Clocks of processes differ. */
const SKEW_MS = 30_000;

/** Before the lane hears of it. A press from before the last deployment came lifts nothing that was set since. */
export async function allowUnlock(
  context: TurnRecords,
  repository: Repository,
  rootName: string,
  unlocked: AllowedUnlock,
): Promise<void> {
  await context.laneTurns.change(repository, rootName, async (turn) => {
    const { last, unlocked: before } = turn ?? {};
    const isAfter = (at: string) => Date.parse(unlocked.at) >= Date.parse(at) - SKEW_MS;
    if (before !== undefined && before.at > unlocked.at) return undefined;
    if (last === undefined || !isAfter(last.at)) return { ...turn, unlocked };
    const ends = await endsOf(context, repository, last);
    const lifted = last.lifted === 'after its end' || ends.some(isAfter) ? 'after its end' : 'before its end';
    return { ...turn, unlocked, last: { ...last, lifted } };
  });
}

/** When the last turn ended, by its host and by its record: people may have acted on either. */
async function endsOf(
  { begunApplies, deploymentRecords }: TurnRecords,
  repository: Repository,
  { pool, deployment: { id, root } }: TakenTurn,
): Promise<readonly string[]> {
  const [marker, record] = await Promise.all([
    begunApplies.of(pool).read(id),
    deploymentRecords.find(repository, root.name, id),
  ]);
  return [marker?.endedAt, record?.endedAt, marker && overAt(marker)].filter((at) => at !== undefined);
}
