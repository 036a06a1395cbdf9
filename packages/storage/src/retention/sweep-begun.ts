import { defined } from '@nereid/domain/defined';
import type { ObjectStore } from '../objects/object-store.ts';
import { begunFormat } from '../records/begun-applies.ts';
import { BEGUN_PREFIX, deploymentIn } from '../records/record-keys.ts';
import { createLaneTurns } from '../records/lane-turns.ts';
import { inTurn } from './outside-window.ts';
import { createTally, isOld, type Sweep, type Swept } from './sweep.ts';

/** Removes markers whose orders have ended: nobody accepts these any more. How the last apply of a lane ended still counts. */
export async function sweepBegun(store: ObjectStore, sweep: Sweep): Promise<Swept> {
  const tally = createTally(sweep);
  let named: ReadonlySet<string> | undefined;
  for await (const each of store.listStamped(BEGUN_PREFIX, defined({ after: sweep.after }))) {
    tally.looked();
    if (isOld(each, sweep.beforeMs)) {
      named ??= await namedByTurns(store);
      if (!named.has(deploymentIn(each.key)))
        await tally.attempt(async () => {
          const found = await store.get(each.key);
          if (found === undefined) return;
          const { at } = begunFormat.decode(each.key, found.body);
          if (!isOld(each, sweep.beforeMs, Date.parse(at))) return;
          await store.delete(each.key);
          tally.removed();
        });
    }
    if (tally.isFull()) return tally.swept(each.key);
  }
  return tally.swept();
}

async function namedByTurns(store: ObjectStore): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const turn of createLaneTurns(store).list()) for (const id of inTurn(turn)) ids.add(id);
  return ids;
}
