/** One message about everything that waits for it. */
import type { Notification } from '@nereid/domain/notification';
import { firstDueAt } from '@nereid/config';
import type { Sender } from '@nereid/notifications';
import type { Waiting } from '@nereid/storage';
import pMap from 'p-map';
import { afterDigest, pauseLeft, waitingForMs, withAttempt, worthTelling } from '../destination-rules.ts';
import { HELD_MS, IDLE_MS } from './next-round.ts';
import { AT_ONCE, type Turn } from './turn.ts';

interface Item {
  readonly waiting: Waiting;
  readonly notification: Notification | undefined;
}

/** Returns in how many milliseconds the next round is worth it. */
export async function deliverDigest(turn: Turn, { sendDigest }: Sender): Promise<number> {
  const { destination, name, tools } = turn;
  const { outbox, now, logger, onDelivery } = tools;
  await outbox.forgetRefused(name, now() - waitingForMs(destination));
  const waiting = await turn.listWaiting();
  const items = await pMap(
    waiting,
    async (each): Promise<Item> => ({ waiting: each, notification: await turn.read(each) }),
    {
      concurrency: AT_ONCE,
    },
  );
  const told = worthTelling(
    destination,
    items.flatMap(({ notification }) => notification ?? []),
  );
  // Reading may have taken long.
  if (!(await turn.store('now'))) return HELD_MS;
  const [oldest] = waiting;
  if (oldest === undefined) return turn.leave(IDLE_MS);
  const id = `digest:${name}:${new Date(firstDueAt(destination, oldest.arrivedMs)).toISOString()}`;
  const before = turn.state;
  const beganMs = performance.now();
  const answer = told.length > 0 && sendDigest ? await sendDigest({ id, notifications: told }) : undefined;
  const attempted = answer ? withAttempt(before, answer, performance.now() - beganMs, now()) : before;
  if (answer?.kind === 'delivered') onDelivery(name, 'delivered');
  else if (answer !== undefined) {
    onDelivery(name, answer.kind === 'later' ? 'failed' : 'refused');
    if (answer.kind === 'refused' || before.failing === undefined)
      logger.warn({ destination: name, reason: answer.reason }, 'a destination does not take its digest');
  }
  turn.state = afterDigest(attempted, { id, digests: waiting.map(({ digest }) => digest) }, answer, now());
  turn.warnOnceStuck(before);
  if (answer?.kind === 'later') return turn.leave(pauseLeft(turn.state, now()));
  if (!(await turn.store('now'))) return HELD_MS;
  if (answer?.kind === 'refused') await setAside(turn, items, told);
  await turn.removeAll(waiting);
  return turn.leave(IDLE_MS);
}

/** Somebody may have them sent again, with the next digest. */
async function setAside({ name, tools }: Turn, items: readonly Item[], told: readonly Notification[]): Promise<void> {
  await pMap(
    items,
    async ({ waiting, notification }) => {
      if (notification && told.includes(notification)) await tools.outbox.setAside(name, waiting, notification);
    },
    { concurrency: AT_ONCE },
  );
}
