/** An operator wants a host to drain, or to take work again. The host reads it in storage within seconds. */
import { isConsoleAction } from '@nereid/domain/actions';
import { defined } from '@nereid/domain/defined';
import type { HostRequestEvent, IntakeResult } from '@nereid/domain/intake';
import { whyNotOperator } from '@nereid/identity';
import type { DrainRecord } from '@nereid/domain/host';
import type { IntakeCall } from '../intake-call.ts';
import { byOf } from '../../person/permission.ts';
import { refused, signalled } from '../results.ts';
import { NO_ROOT } from '../action-subject.ts';
import { withFailureReported } from '../with-failure-reported.ts';
import { provenSender } from './proven-sender.ts';
import { refuseUnknown } from './refuse-request.ts';

export async function handleHostRequest(call: IntakeCall, event: HostRequestEvent): Promise<IntakeResult> {
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
    async () => {
      const why = await whyNoSuchHost(call, proven);
      return why === undefined ? ask(call, proven, refuse) : refuse(why);
    },
    (sentence) => Promise.resolve(refuse(sentence)),
  );
}

/** The console refuses these itself, so they come from somebody who was an operator a moment ago, or who is not in front of it. */
function deny({ context, delivery, userActions }: IntakeCall, { sender }: HostRequestEvent, why: string): IntakeResult {
  if (context.notedRefusals.isNoted(sender, delivery)) userActions.refused(NO_ROOT, why);
  return refused(why);
}

/** One that was stopped while it drained has no record, but still starts drained. */
async function whyNoSuchHost({ context }: IntakeCall, { request }: HostRequestEvent): Promise<string | undefined> {
  const { hostId } = request;
  const known = (await context.hostRecords.read(hostId)) ?? (await context.drainRecords.read(hostId));
  return known === undefined ? `there is no host ${hostId}` : undefined;
}

/** The same request, made again, is stored again. */
async function ask(
  call: IntakeCall,
  event: HostRequestEvent,
  refuse: (sentence: string) => IntakeResult,
): Promise<IntakeResult> {
  const { action, hostId } = event.request;
  const about = { version: 1, hostId, action, requestId: call.delivery, at: call.askedAt } as const;
  const holds = await call.context.drainRecords.ask({ ...about, ...byOf(event) });
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
