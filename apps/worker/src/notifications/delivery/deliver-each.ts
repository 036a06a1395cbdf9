/** One message for each notification. */
import { followsTopic, isHeldBack } from '@nereid/config';
import type { Notification } from '@nereid/domain/notification';
import type { Answer, Sender } from '@nereid/notifications';
import type { Waiting } from '@nereid/storage';
import {
  afterAnswer,
  nextQueueDue,
  noteAbout,
  onceKeyOf,
  pauseLeft,
  queuePauseLeft,
  waitingForMs,
  withAttempt,
} from '../destination-rules.ts';
import type { HeldBack } from './held-back.ts';
import { HELD_MS, IDLE_MS, measureOldest } from './next-round.ts';
import type { Turn } from './turn.ts';

type Outcome = 'settled' | 'held-back' | 'paused' | 'lost';

/** Returns in how many milliseconds the next round is worth it. */
export async function deliverEach(turn: Turn, sender: Sender, heldBack: HeldBack): Promise<number> {
  const { destination, name, tools } = turn;
  const { outbox, now, signal } = tools;
  await outbox.forgetRefused(name, now() - waitingForMs(destination));
  for (;;) {
    const waiting = heldBack.dueAmong(await turn.listWaiting(), destination, turn.state, now());
    measureOldest(destination, waiting[0], tools);
    if (waiting.length === 0) return turn.leave(nextQueueDue(turn.state, IDLE_MS, now()));
    for (const each of waiting) {
      if (signal.aborted) return turn.leave(0);
      const outcome = await deliverOne(turn, sender, heldBack, each);
      if (outcome === 'lost') return HELD_MS;
      if (outcome === 'paused') return turn.leave(pauseLeft(turn.state, now()));
    }
  }
}

async function deliverOne(turn: Turn, sender: Sender, heldBack: HeldBack, waiting: Waiting): Promise<Outcome> {
  const { destination, tools } = turn;
  const notification = await turn.read(waiting);
  if (notification === undefined) {
    await tools.outbox.remove(waiting);
    return 'settled';
  }
  const subject = sender.subjectOf(notification);
  const queue = sender.queueOf?.(notification);
  const isPaused = queue !== undefined && queuePauseLeft(turn.state, queue, tools.now()) > 0;
  if (isPaused || isHeldBack(destination, notification.type, tools.now())) {
    heldBack.add({ waiting, type: notification.type, subject, ...(isPaused && { queue }) });
    return (await turn.store('if-due')) ? 'held-back' : 'lost';
  }
  const onceKey = onceKeyOf(destination, notification);
  const isRepeated = onceKey !== undefined && turn.state.announced?.includes(onceKey) === true;
  const isAnnounced = destination.when.includes(notification.type) && !isRepeated;
  // It was said before, or the file wants it no more: a digest, for example, hears of more than is announced one by one.
  if (!isAnnounced && !followsTopic(destination, notification.type)) {
    tools.onDelivery(turn.name, 'skipped');
    await tools.outbox.remove(waiting);
    return (await turn.store('if-due')) ? 'settled' : 'lost';
  }
  const context = { note: noteAbout(turn.state, subject), isAnnounced };
  const beganMs = performance.now();
  const answer = await sender.send(notification, context);
  turn.state = withAttempt(turn.state, answer, performance.now() - beganMs, tools.now());
  const overtaken = answer.kind === 'later' ? [] : heldBack.takeOvertaken(waiting, subject);
  if (answer.kind === 'later' && queue !== undefined)
    heldBack.add({ waiting, type: notification.type, subject, queue });
  return settle(turn, { waiting, notification, subject, queue, ...(isAnnounced && { onceKey }) }, answer, overtaken);
}

interface Sent {
  readonly waiting: Waiting;
  readonly notification: Notification;
  readonly subject: string;
  readonly queue: string | undefined;
  readonly onceKey?: string | undefined;
}

async function settle(turn: Turn, sent: Sent, answer: Answer, overtaken: readonly Waiting[]): Promise<Outcome> {
  const { name, tools } = turn;
  const { waiting, notification } = sent;
  const before = turn.state;
  report(turn, notification, answer);
  turn.state = afterAnswer(before, sent, answer, tools.now());
  turn.warnOnceStuck(before);
  // The others of its queue are held back by what is known of it now.
  if (answer.kind === 'later' && sent.queue !== undefined) return (await turn.store('if-due')) ? 'held-back' : 'lost';
  if (answer.kind === 'later') return 'paused';
  // Before it is removed: an alert that nobody knows to be open would never be resolved.
  const hasNote = answer.kind === 'delivered' && answer.note !== undefined;
  if (hasNote && !(await turn.store('now'))) return 'lost';
  if (answer.kind === 'refused') await tools.outbox.setAside(name, waiting, notification);
  else await tools.outbox.remove(waiting);
  await turn.removeAll(overtaken);
  overtaken.forEach(() => {
    tools.onDelivery(name, 'skipped');
  });
  return hasNote || (await turn.store('if-due')) ? 'settled' : 'lost';
}

function report({ name, state, tools }: Turn, { id }: Notification, answer: Answer): void {
  const { logger, onDelivery } = tools;
  if (answer.kind === 'delivered') {
    onDelivery(name, 'delivered');
    return;
  }
  onDelivery(name, answer.kind === 'later' ? 'failed' : 'refused');
  const fields = { destination: name, notification: id, reason: answer.reason };
  if (answer.kind === 'refused') logger.warn(fields, 'a destination refuses a notification, which is set aside');
  else if (state.failing === undefined)
    logger.warn(fields, 'a destination takes no notifications for now: it is tried again');
}
