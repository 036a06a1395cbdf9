/**
 * An operator wants a host to drain, or to take work again, which the host reads in storage within seconds; or wants notifications to
 * be sent again; or stops all repositories or a pool, or thaws them.
 */
import { isConsoleAction } from '@nereid/domain/actions';
import { defined } from '@nereid/domain/defined';
import type { DestinationRequest, IntakeResult, OperatorRequest, OperatorRequestEvent } from '@nereid/domain/intake';
import { whyNotOperator } from '@nereid/identity';
import type { DrainRecord, HostRequest } from '@nereid/domain/host';
import { describeSentAgain, sendNotificationsAgain } from '../../actions/send-notifications-again.ts';
import type { IntakeCall } from '../intake-call.ts';
import { byOf } from '../../person/permission.ts';
import { refused, signalled } from '../results.ts';
import { NO_ROOT } from '../action-subject.ts';
import { withFailureReported } from '../with-failure-reported.ts';
import { stopPool } from './gates/stop-pool.ts';
import { thawPool } from './gates/thaw-pool.ts';
import { provenSender } from './proven-sender.ts';
import { refuseUnknown } from './refuse-request.ts';

export async function handleOperatorRequest(call: IntakeCall, event: OperatorRequestEvent): Promise<IntakeResult> {
  if (!isConsoleAction(event.request.action)) return refuseUnknown(call, event);
  const sender = await provenSender(call, event);
  // Nothing is audited in a name that nobody proved.
  if (sender.kind === 'nobody') return refused(sender.why);
  const proven = { ...event, ...sender.person };
  const { console } = call.context.server.current();
  const { sender: login, senderId: id } = sender.person;
  const denied = whyNotOperator(console, { login, ...defined({ id }) }, event.request.action);
  if (denied !== undefined) return deny(call, proven, denied);
  const refuse = (sentence: string): IntakeResult => {
    call.userActions.refused(NO_ROOT, sentence);
    return refused(sentence);
  };
  return withFailureReported(
    () => carryOut(call, proven, refuse),
    (sentence) => Promise.resolve(refuse(sentence)),
  );
}

type Asked<Request extends OperatorRequest> = Omit<OperatorRequestEvent, 'request'> & { readonly request: Request };
type Refuse = (sentence: string) => IntakeResult;

function carryOut(call: IntakeCall, event: OperatorRequestEvent, refuse: Refuse): Promise<IntakeResult> {
  const { request } = event;
  switch (request.action) {
    case 'drain':
    case 'resume':
      return askHost(call, { ...event, request }, refuse);
    case 'send_again':
      return sendAgain(call, { ...event, request }, refuse);
    case 'stop_pool':
      return stopPool(call, { ...event, request }, refuse);
    case 'thaw_pool':
      return thawPool(call, { ...event, request }, refuse);
  }
}

/** The console refuses these itself, so they come from somebody who was an operator a moment ago, or who is not in front of it. */
function deny(
  { context, delivery, userActions }: IntakeCall,
  { sender }: OperatorRequestEvent,
  why: string,
): IntakeResult {
  if (context.notedRefusals.isNoted(sender, delivery)) userActions.refused(NO_ROOT, why);
  return refused(why);
}

/** The same request, made again, is stored again. A host that was stopped while it drained has no record, but still starts drained. */
async function askHost(call: IntakeCall, event: Asked<HostRequest>, refuse: Refuse): Promise<IntakeResult> {
  const { action, hostId } = event.request;
  const { hostRecords, drainRecords } = call.context;
  const known = (await hostRecords.read(hostId)) ?? (await drainRecords.read(hostId));
  if (known === undefined) return refuse(`there is no host ${hostId}`);
  const about = { version: 1, hostId, action, requestId: call.delivery, at: call.askedAt } as const;
  const holds = await drainRecords.ask({ ...about, ...byOf(event) });
  if (holds.requestId !== call.delivery) return refuse(overtakenBy(holds));
  call.userActions.accepted(NO_ROOT);
  return signalled(`@${event.sender} ${OUTCOME[action](hostId)}`, []);
}

function overtakenBy({ by, action, hostId }: DrainRecord): string {
  return `@${by} wanted to ${action} ${hostId} after you did, and that holds`;
}

/** A host looks every 15 seconds. */
const OUTCOME = {
  drain: (hostId: string) => `drains ${hostId}: within 15 seconds it takes no more work, and what runs goes on`,
  resume: (hostId: string) => `resumes ${hostId}: it takes work again within 15 seconds`,
} as const;

async function sendAgain(call: IntakeCall, event: Asked<DestinationRequest>, refuse: Refuse): Promise<IntakeResult> {
  const { destination } = event.request;
  const { outbox, notifications, server } = call.context;
  if (!server.current().notifications.some(({ name }) => name === destination))
    return refuse(`notifications of the server's file has no destination ${destination}`);
  const count = await sendNotificationsAgain(outbox, destination);
  if (count === undefined) return refuse(`${destination} is being delivered to at this moment: try again`);
  notifications.emit('kept');
  call.userActions.accepted(NO_ROOT);
  return signalled(`@${event.sender} has ${destination} tried again: ${describeSentAgain(count)}`, []);
}
