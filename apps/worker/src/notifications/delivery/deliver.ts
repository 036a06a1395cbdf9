/**
 * Delivers the notifications of one destination in order, while it takes them. The state of the destination in storage says who
 * delivers: a worker that was killed loses its turn after a minute.
 */
import { heldBackUntil, type Destination } from '@nereid/config';
import { FRESH_DESTINATION } from '@nereid/domain/notification';
import type { Sender } from '@nereid/notifications';
import { held, pauseLeft } from '../destination-rules.ts';
import { deliverDigest } from './deliver-digest.ts';
import { deliverEach } from './deliver-each.ts';
import { endWhatIsOver, subjectsToEnd } from './end-what-is-over.ts';
import { HeldBack } from './held-back.ts';
import { HELD_MS, IDLE_MS, measureOldest } from './next-round.ts';
import { Turn, type DeliverTools } from './turn.ts';

/** Returns in how many milliseconds the next round is worth it. Throws failures of storage. `heldBack`: of the rounds before. */
export async function deliver(
  destination: Destination,
  sender: Sender,
  tools: DeliverTools,
  heldBack = new HeldBack(),
): Promise<number> {
  const { outbox, workerId, now } = tools;
  const { name } = destination;
  const [oldest] = await outbox.listWaiting(name, 1);
  measureOldest(destination, oldest, tools);
  if (oldest === undefined && sender.ending === undefined) return IDLE_MS;
  const heldUntil = oldest && heldBackUntil(destination, oldest.arrivedMs, now());
  if (heldUntil !== undefined) return heldUntil - now();
  const found = await outbox.readState(name);
  const state = found?.state ?? FRESH_DESTINATION;
  if (oldest === undefined && subjectsToEnd(state, sender, now()).length === 0) return IDLE_MS;
  const left = pauseLeft(state, now());
  if (left > 0) return left;
  const taken = held(state, workerId, now());
  const own = taken && (await outbox.writeState(name, taken, found?.version));
  if (own === undefined) return HELD_MS;
  const turn = new Turn(destination, tools, own);
  const isTaking = await endWhatIsOver(turn, sender);
  if (!isTaking) return turn.leave(pauseLeft(turn.state, now()));
  return destination.digest ? deliverDigest(turn, sender) : deliverEach(turn, sender, heldBack);
}
