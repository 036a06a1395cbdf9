/** Carries out what an operator asks of the destinations of notifications. */
import { randomUUID } from 'node:crypto';
import { describeHours, type Destination } from '@nereid/config';
import { describeDestination, type Notification } from '@nereid/domain/notification';
import { openDestination, type Sender } from '@nereid/notifications';
import type { Outbox } from '@nereid/storage';
import { describeSentAgain, sendNotificationsAgain } from '../actions/send-notifications-again.ts';
import { WAITING_LIMIT } from './destination-rules.ts';
import type { NotifyCommand } from './notify-command.ts';

export interface NotifyTools {
  readonly destinations: readonly Destination[];
  readonly outbox: Outbox;
  readonly consoleUrl: string;
  /** For tests. */
  readonly open?: (destination: Destination) => Sender;
}

interface Outcome {
  readonly isDone: boolean;
  readonly text: string;
}

export async function runNotify(tools: NotifyTools, command: NotifyCommand): Promise<Outcome> {
  if (command.verb === 'status') return describeAll(tools);
  const destination = tools.destinations.find(({ name }) => name === command.destination);
  if (destination === undefined) {
    const names = tools.destinations.map(({ name }) => name).join(', ');
    const text = `expected the name of a destination, found ${command.destination}; notifications of the server's file has ${names || 'none'}`;
    return { isDone: false, text };
  }
  return command.verb === 'test' ? sendSample(tools, destination) : sendAgain(tools, destination);
}

async function describeAll({ destinations, outbox }: NotifyTools): Promise<Outcome> {
  const lines = destinations.map(async (destination) => {
    const { name, target } = destination;
    const waiting = await outbox.listWaiting(name, WAITING_LIMIT);
    const { sentence } = describeDestination(name, (await outbox.readState(name))?.state);
    const hours = describeHours(destination, Date.now());
    const waits = `${waiting.length} waiting${hours === undefined ? '' : ` (${hours})`}`;
    return `${name} (${target.kind}), ${waits}: ${sentence}`;
  });
  const text = (await Promise.all(lines)).join('\n');
  return { isDone: true, text: text === '' ? "notifications of the server's file names no destination" : text };
}

/** What a sample opened, a second one closes: an alert wakes nobody for long. */
async function sendSample(
  { open = openDestination, consoleUrl }: NotifyTools,
  destination: Destination,
): Promise<Outcome> {
  const { name } = destination;
  const sender = open(destination);
  const sample = aSample(destination, consoleUrl);
  const beganMs = performance.now();
  const answer = await sender.send(sample, { isAnnounced: true });
  const tookMs = Math.round(performance.now() - beganMs);
  if (answer.kind !== 'delivered') {
    const again = answer.kind === 'later' ? 'a notification would be tried again' : 'a notification would be set aside';
    return { isDone: false, text: `${name} did not take the sample, after ${tookMs} ms: ${answer.reason}; ${again}` };
  }
  const closed = answer.note
    ? await sender.send({ ...sample, type: 'succeeded' }, { note: answer.note, isAnnounced: false })
    : answer;
  if (closed.kind === 'delivered') return { isDone: true, text: `${name} took the sample after ${tookMs} ms` };
  return { isDone: false, text: `${name} took the sample, but not the one that closes it: ${closed.reason}` };
}

function aSample({ when: [type = 'failed'] }: Destination, consoleUrl: string): Notification {
  return {
    version: 1,
    id: `test:${randomUUID()}`,
    type,
    at: new Date().toISOString(),
    sentence: 'A sample: nothing happened. Somebody is testing whether notifications arrive.',
    repository: 'example/infrastructure',
    root: { name: 'sample', directory: 'sample' },
    deployment: { id: 'sample', status: 'queued', trigger: 'manual', revision: '0'.repeat(40) },
    links: { page: consoleUrl },
  };
}

/** The worker that delivers looks within a minute. */
async function sendAgain({ outbox }: NotifyTools, destination: Destination): Promise<Outcome> {
  const { name } = destination;
  const count = await sendNotificationsAgain(outbox, name);
  if (count === undefined) return { isDone: false, text: `${name} is being delivered to at this moment: try again` };
  const hours = describeHours(destination, Date.now());
  const when = hours === undefined ? 'is tried within a minute' : `is told in its hours (${hours})`;
  return { isDone: true, text: `${describeSentAgain(count)}, and ${name} ${when}` };
}
