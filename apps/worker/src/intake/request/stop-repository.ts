/** Somebody stops the deployments of a repository for a while, or lets them go on. Storage has it; workflows are only rung. */
import { listNames } from '../../platform/list-names.ts';
import { isAbout } from '../../root/stop-facts.ts';
import { describeTime, millisecondsOf } from '@nereid/config';
import type { Stop } from '@nereid/domain/gates';
import type { IntakeResult, RequestFor } from '@nereid/domain/intake';
import { fullName } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { askerOf, byOf, decide } from '../../person/permission.ts';
import type { Decision } from '../../person/permission-rule.ts';
import { NO_ROOT } from '../action-subject.ts';
import type { IntakeCall } from '../intake-call.ts';
import { signalled } from '../results.ts';
import { refuseRequest, type ProvenRequest } from './refuse-request.ts';
import { ringRepository } from './ring-repository.ts';

/** A longer one is a window of the server's file. */
const [SHORTEST_MS, LONGEST_MS] = [60_000, 7 * 86_400_000];

/** More than people keep in mind. */
const STOPS_LIMIT = 20;

const REASON_LIMIT = 200;

export async function stopRepository(
  call: IntakeCall,
  event: ProvenRequest,
  { for: duration, reason, directories }: RequestFor<'stop'>,
): Promise<IntakeResult> {
  const refuse = (sentence: string) => refuseRequest(call, event, sentence);
  const durationMs = millisecondsOf(duration) ?? 0;
  if (durationMs < SHORTEST_MS || durationMs > LONGEST_MS)
    return refuse(`expected a time from 1m to 7d for a stop, found ${duration.slice(0, 20)}`);
  const decision = await judge(call, event, 'stop');
  if (decision.kind === 'no') return refuse(decision.sentence);

  const { owner, name } = event.repository;
  const until = Date.parse(call.askedAt) + durationMs;
  const stop = await call.context.signatures.enclose('decision/stop', {
    ...{ version: 1, requestId: call.delivery, repository: { owner, name } },
    ...{ directories: [...directories], reason: reason.slice(0, REASON_LIMIT), ...byOf(event) },
    ...{ at: call.askedAt, until: new Date(until).toISOString() },
  });
  const why = await store(call, event, stop);
  if (why !== undefined) return refuse(why);
  call.userActions.accepted(NO_ROOT);
  const what = directories.length === 0 ? '' : `, in ${directories.join(', ')}`;
  const running = (await ringRepository(call.context, event.repository, 'list only'))
    .filter(({ root }) => isAbout(directories, root))
    .map(({ root }) => root.name);
  const goesOn =
    running.length === 0 ? '' : `; what runs goes on, or begins within ten minutes, in ${listNames(running)}`;
  const end = describeTime('UTC', until, Date.now());
  return signalled(`@${event.sender} stops ${fullName(event.repository)}${what} until ${end}${goesOn}`, []);
}

/**
 * Returns why it is not stored. The same request, made again, is stored once, and not after a thaw: whoever reaches Temporal can send
 * it again. Stops that are over go.
 */
async function store(
  { context }: IntakeCall,
  { repository }: ProvenRequest,
  stop: Signed<Stop>,
): Promise<string | undefined> {
  let why: string | undefined;
  await context.stopRecords.change(repository, (found) => {
    const now = new Date().toISOString();
    const others = found.stops.filter(({ body }) => body.until > now && body.requestId !== stop.body.requestId);
    why = whyNotStored(stop, others.length, found.thawedAt);
    return why === undefined ? { ...found, stops: [...others, stop] } : found;
  });
  return why;
}

function whyNotStored({ body }: Signed<Stop>, others: number, thawedAt = ''): string | undefined {
  if (body.at <= thawedAt) return 'the repository was thawed after you asked for this stop';
  if (others < STOPS_LIMIT) return undefined;
  return `expected at most ${STOPS_LIMIT} stops of a repository: thaw it, and stop it anew`;
}

/** A stop that came after the request stays: whoever reaches Temporal can send the request again. */
export async function thawRepository(call: IntakeCall, event: ProvenRequest): Promise<IntakeResult> {
  const decision = await judge(call, event, 'thaw');
  if (decision.kind === 'no') return refuseRequest(call, event, decision.sentence);
  const { repository, sender } = event;
  await call.context.stopRecords.change(repository, ({ stops, thawedAt = '' }) => ({
    stops: stops.filter(({ body }) => body.at > call.askedAt),
    thawedAt: call.askedAt > thawedAt ? call.askedAt : thawedAt,
  }));
  call.userActions.accepted(NO_ROOT);
  await ringRepository(call.context, repository, 'ring');
  return signalled(`@${sender} ended all stops of ${fullName(repository)}: its deployments go on`, []);
}

/** Nobody has brought a repository. */
const NOBODY = { shas: [], people: [], hasMore: false } as const;

/** By the strictest of the rules for any of its roots. */
function judge(call: IntakeCall, event: ProvenRequest, action: 'stop' | 'thaw'): Promise<Decision> {
  const { repository, policy } = event;
  return decide(call, { repository, policy, root: { name: '' }, action, ...askerOf(event), brought: () => NOBODY });
}
