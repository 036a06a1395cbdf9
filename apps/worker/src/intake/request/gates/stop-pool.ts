/** An operator stops all repositories or the roots of a pool for a while. Storage has it. */
import { REASON_LIMIT } from '@nereid/domain/actions';
import { describeTime } from '@nereid/config';
import { describePool, type PoolStop } from '@nereid/domain/gates';
import type { IntakeResult, RequestFor } from '@nereid/domain/intake';
import type { Signed } from '@nereid/domain/signed';
import { byOf } from '../../../person/permission.ts';
import { NO_ROOT } from '../../action-subject.ts';
import type { IntakeCall } from '../../intake-call.ts';
import { signalled } from '../../results.ts';
import { describeApplies } from './applies.ts';
import { nameOfPool, unknownPool, whyUnreadable, type PoolAsked, type Refuse } from './pool-request.ts';
import { listApplies, type KnownApplies } from './ring-pool.ts';
import { endOfStop, whyNotStored } from './terms-of-stop.ts';

export async function stopPool(
  call: IntakeCall,
  event: PoolAsked<RequestFor<'stop_pool'>>,
  refuse: Refuse,
): Promise<IntakeResult> {
  const { for: duration, reason, pool: asked } = event.request;
  const until = endOfStop(call.askedAt, duration);
  if (typeof until === 'string') return refuse(until);
  const pool = nameOfPool(call, asked);
  if (pool === undefined) return refuse(unknownPool(call, asked));
  const stop = await call.context.signatures.enclose('decision/pool-stop', {
    ...{ version: 1, requestId: call.delivery, pool, reason: reason.slice(0, REASON_LIMIT), ...byOf(event) },
    ...{ at: call.askedAt, until: new Date(until).toISOString() },
  });
  const why = await store(call, stop);
  if (why !== undefined) return refuse(why);
  call.userActions.accepted(NO_ROOT);
  const end = describeTime('UTC', until, Date.now());
  const applies = describeKnown(await listApplies(call.context, pool));
  return signalled(`@${event.sender} stopped ${describePool(pool)} until ${end}; ${applies}`, []);
}

/** Returns why it is not stored. The same request, made again, is stored once. Stops that are over go. */
async function store(call: IntakeCall, stop: Signed<PoolStop>): Promise<string | undefined> {
  const { pool, at, requestId } = stop.body;
  let why: string | undefined;
  try {
    await call.context.stopRecords.changePools((found) => {
      const now = new Date().toISOString();
      const kept = found.stops.filter(({ body }) => body.until > now && body.requestId !== requestId);
      const others = kept.filter(({ body }) => body.pool === pool).length;
      const thawedAt = found.thawed.find((one) => one.pool === pool)?.at;
      why = whyNotStored({ at, thawedAt, others, what: describePool(pool) });
      return why === undefined ? { ...found, stops: [...kept, stop] } : found;
    });
  } catch (error) {
    return whyUnreadable(call, error);
  }
  return why;
}

function describeKnown({ names, isComplete }: KnownApplies): string {
  if (isComplete) return describeApplies(names);
  const found = names.length > 0 ? [describeApplies(names)] : [];
  return [...found, 'not all lanes could be looked at, so more may run'].join('; ');
}
