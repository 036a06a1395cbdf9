/** Somebody stops the deployments of a repository for a while, or lets them go on. Storage has it; workflows are only rung. */
import { describeTime, directoryGlobOf, isInDirectories } from '@nereid/config';
import { DIRECTORIES_LIMIT, REASON_LIMIT } from '@nereid/domain/actions';
import type { Stop } from '@nereid/domain/gates';
import type { IntakeResult, RequestFor } from '@nereid/domain/intake';
import { fullName } from '@nereid/domain/root';
import { isUnreadableRecord } from '@nereid/storage';
import type { Signed } from '@nereid/domain/signed';
import { askerOf, byOf, decide } from '../../../person/permission.ts';
import type { Decision } from '../../../person/permission-rule.ts';
import { NO_ROOT } from '../../action-subject.ts';
import type { IntakeCall } from '../../intake-call.ts';
import { signalled } from '../../results.ts';
import { refuseRequest, type ProvenRequest } from '../refuse-request.ts';
import { describeApplies } from './applies.ts';
import { listLanes, ringRepository, type KnownLanes } from './ring-repository.ts';
import { endOfStop, whyNotStored } from './terms-of-stop.ts';

export async function stopRepository(
  call: IntakeCall,
  event: ProvenRequest,
  { for: duration, reason, directories: named }: RequestFor<'stop'>,
): Promise<IntakeResult> {
  const refuse = (sentence: string) => refuseRequest(call, event, sentence);
  const until = endOfStop(call.askedAt, duration);
  if (typeof until === 'string') return refuse(until);
  if (named.length > DIRECTORIES_LIMIT)
    return refuse(`expected at most ${DIRECTORIES_LIMIT} directories in a stop, found ${named.length}: use a glob`);
  const directories = [...new Set(named.map(directoryGlobOf))].filter((glob) => glob !== undefined);
  const wrong = named.find((text) => directoryGlobOf(text) === undefined);
  if (wrong !== undefined) return refuse(whyNoDirectory(wrong));
  const decision = await judge(call, event, 'stop');
  if (decision.kind === 'no') return refuse(decision.sentence);

  const { owner, name } = event.repository;
  const stop = await call.context.signatures.enclose('decision/stop', {
    ...{ version: 1, requestId: call.delivery, repository: { owner, name } },
    ...{ directories, reason: reason.slice(0, REASON_LIMIT), ...byOf(event) },
    ...{ at: call.askedAt, until: new Date(until).toISOString() },
  });
  const why = await store(call, event, stop);
  if (why !== undefined) return refuse(why);
  call.userActions.accepted({ ...NO_ROOT, reason: stop.body.reason });
  const what = directories.length === 0 ? '' : `, in ${directories.join(', ')}`;
  const goesOn = describeLanes(directories, await listLanes(call.context, event.repository));
  const end = describeTime('UTC', until, Date.now());
  return signalled(`@${event.sender} stopped ${fullName(event.repository)}${what} until ${end}; ${goesOn}`, []);
}

function whyNoDirectory(found: string): string {
  return (
    `expected directories from the top of the repository, like prod or prod/**, found ${JSON.stringify(found.slice(0, 50))}: ` +
    'write them without a leading "/", "..", "name:" or spaces'
  );
}

/** What a person may take wrongly: the applies that go on, directories that nobody knows, and that Nereid could not look everywhere. */
function describeLanes(directories: readonly string[], { lanes, isComplete }: KnownLanes): string {
  const about = lanes.filter(({ root }) => root === undefined || isInDirectories(directories, root));
  const names = about.filter(({ isApplied }) => isApplied).map(({ rootName }) => rootName);
  const applies = describeApplies(names.toSorted());
  if (!isComplete)
    return [
      ...(names.length > 0 ? [applies] : []),
      'not all of its roots could be looked at, so more may run: its page lists them',
    ].join('; ');
  const isNowhere = about.length === 0 && directories.length > 0;
  return isNowhere ? 'no root that was deployed so far is there: check the directories' : applies;
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
  try {
    await context.stopRecords.change(repository, (found) => {
      const now = new Date().toISOString();
      const others = found.stops.filter(({ body }) => body.until > now && body.requestId !== stop.body.requestId);
      const asked = { at: stop.body.at, thawedAt: found.thawedAt, others: others.length };
      why = whyNotStored({ ...asked, what: 'the repository' });
      return why === undefined ? { ...found, stops: [...others, stop] } : found;
    });
  } catch (error) {
    if (!isUnreadableRecord(error)) throw error;
    context.logger.warn({ err: error, repository: fullName(repository) }, 'the stops of a repository cannot be read');
    return 'its stops cannot be read, so nothing of it begins; thaw it, and stop it anew';
  }
  return why;
}

/** A stop that came after the request stays: whoever reaches Temporal can send the request again. */
export async function thawRepository(call: IntakeCall, event: ProvenRequest): Promise<IntakeResult> {
  const decision = await judge(call, event, 'thaw');
  if (decision.kind === 'no') return refuseRequest(call, event, decision.sentence);
  const { repository, sender } = event;
  const unreadable: unknown[] = [];
  let ended = 0;
  await call.context.stopRecords.change(
    repository,
    ({ stops, glass, thawedAt = '' }) => {
      const left = stops.filter(({ body }) => body.at > call.askedAt);
      ended = stops.length - left.length;
      return { glass, stops: left, thawedAt: call.askedAt > thawedAt ? call.askedAt : thawedAt };
    },
    (err) => {
      unreadable.push(err);
      call.context.logger.warn({ err, repository: fullName(repository) }, 'a thaw replaces stops that cannot be read');
    },
  );
  call.userActions.accepted(NO_ROOT);
  const isComplete = await ringRepository(call.context, repository);
  const later = isComplete ? '' : '; some could not be told, and look by themselves within an hour';
  return signalled(`@${sender} ${describeThaw(fullName(repository), ended, unreadable.length > 0)}${later}`, []);
}

/** Others may hold up the repository as well: those of all repositories, and of pools. */
function describeThaw(repository: string, ended: number, wasUnreadable: boolean): string {
  if (ended === 0 && !wasUnreadable) return `ended no stop, because there was none of ${repository}`;
  const also = wasUnreadable ? ', also those that could not be read' : '';
  return `ended all stops of ${repository}${also}: its deployments go on, unless something else stops them`;
}

/** Nobody has brought a repository. */
const NOBODY = { shas: [], people: [], hasMore: false } as const;

/** By the strictest of the rules for any of its roots. */
function judge(call: IntakeCall, event: ProvenRequest, action: 'stop' | 'thaw'): Promise<Decision> {
  const { repository, policy } = event;
  return decide(call, { repository, policy, root: 'all', action, ...askerOf(event), brought: () => NOBODY });
}
