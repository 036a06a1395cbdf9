import { defined } from '@nereid/domain/defined';
import type { ObjectStore } from '../objects/object-store.ts';
import {
  parseRolloutKey,
  rolloutChecksPrefix,
  rolloutEndsPrefix,
  rolloutSkipsPrefix,
  ROLLOUTS_PREFIX,
} from '../rollouts/rollout-keys.ts';
import { rolloutName, type InUse } from './in-use.ts';
import { createTally, isOld, removeKeys, type Sweep, type Swept } from './sweep.ts';

/** Removes rollouts that no deployment waits in, with the ends of their roots, their skipped waves and their checks. */
export async function sweepRollouts(
  store: ObjectStore,
  { rollouts }: Pick<InUse, 'rollouts'>,
  sweep: Sweep,
): Promise<Swept> {
  const tally = createTally(sweep);
  for await (const each of store.listStamped(ROLLOUTS_PREFIX, defined({ after: sweep.after }))) {
    tally.looked();
    const rollout = parseRolloutKey(each.key);
    if (rollout === undefined || !isOld(each, sweep.beforeMs)) continue;
    if (rollouts.has(rolloutName(rollout, rollout.id))) continue;
    await tally.attempt(async () => {
      for (const prefixOf of [rolloutEndsPrefix, rolloutSkipsPrefix, rolloutChecksPrefix])
        await removeKeys(store, await Array.fromAsync(store.list(prefixOf(rollout, rollout.id))));
      // Last, so that another attempt finds what this one has left.
      await store.delete(each.key);
      tally.removed();
    });
    if (tally.isFull()) return tally.swept(each.key);
  }
  return tally.swept();
}
