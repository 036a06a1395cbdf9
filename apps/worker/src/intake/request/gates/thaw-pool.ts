/** An operator ends the stops of all repositories, or of a pool. Storage has it; workflows are only rung. */
import { ALL_POOLS, describePool } from '@nereid/domain/gates';
import type { IntakeResult, RequestFor } from '@nereid/domain/intake';
import type { StoredPoolStops } from '@nereid/storage';
import { NO_ROOT } from '../../action-subject.ts';
import type { IntakeCall } from '../../intake-call.ts';
import { signalled } from '../../results.ts';
import { nameOfPool, unknownPool, whyUnreadable, type PoolAsked, type Refuse } from './pool-request.ts';
import { ringPool } from './ring-pool.ts';

export async function thawPool(
  call: IntakeCall,
  event: PoolAsked<RequestFor<'thaw_pool'>>,
  refuse: Refuse,
): Promise<IntakeResult> {
  const { pool: asked } = event.request;
  const known = nameOfPool(call, asked);
  const pool = known ?? asked;
  const thaw = await endStops(call, pool, known !== undefined);
  if (thaw.kind === 'not-ended') return refuse(thaw.why);
  // It may have been in the server's file before, with stops of its own.
  if (known === undefined && thaw.ended === 0) return refuse(unknownPool(call, asked));
  call.userActions.accepted(NO_ROOT);
  const isComplete = await ringPool(call.context, pool);
  const later = isComplete ? '' : '; some could not be told, and look by themselves within an hour';
  return signalled(`@${event.sender} ${describeThaw(pool, thaw)}${later}`, []);
}

type Thaw =
  | { readonly kind: 'ended'; readonly ended: number; readonly wasUnreadable: boolean }
  | { readonly kind: 'not-ended'; readonly why: string };

async function endStops(call: IntakeCall, pool: string, isKnown: boolean): Promise<Thaw> {
  const { context, askedAt } = call;
  let ended = 0;
  let wasUnreadable = false;
  const replace = (err: Error) => {
    wasUnreadable = true;
    context.logger.warn({ err }, 'a thaw replaces stops of pools that cannot be read');
  };
  try {
    await context.stopRecords.changePools(
      (found) => {
        const left = withoutStops(found, pool, askedAt);
        ended = found.stops.length - left.stops.length;
        return isKnown || ended > 0 ? left : found;
      },
      // It may hold stops of any pool, so only a thaw of all may replace it.
      pool === ALL_POOLS ? replace : undefined,
    );
  } catch (error) {
    return { kind: 'not-ended', why: whyUnreadable(call, error) };
  }
  return { kind: 'ended', ended, wasUnreadable };
}

/** A stop that came after the request stays: whoever reaches Temporal can send the request again. */
function withoutStops({ stops, thawed }: StoredPoolStops, pool: string, askedAt: string): StoredPoolStops {
  const isOver = ({ body }: StoredPoolStops['stops'][number]) => body.pool === pool && body.at <= askedAt;
  const before = thawed.find((one) => one.pool === pool)?.at ?? '';
  const others = thawed.filter((one) => one.pool !== pool);
  return {
    stops: stops.filter((stop) => !isOver(stop)),
    thawed: [...others, { pool, at: askedAt > before ? askedAt : before }],
  };
}

function describeThaw(pool: string, { ended, wasUnreadable }: Extract<Thaw, { kind: 'ended' }>): string {
  if (wasUnreadable)
    return 'ended all stops of all repositories and of pools, which could not be read: deployments go on';
  if (ended === 0) return `ended no stop, because there was none of ${describePool(pool)}`;
  const which = pool === ALL_POOLS ? 'the stops that cover all repositories' : `all stops of ${describePool(pool)}`;
  return `ended ${which}: deployments go on, unless something else stops them`;
}
