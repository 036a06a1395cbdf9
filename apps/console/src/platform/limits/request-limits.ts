/** How often one person, one link or one address may ask. People never meet these limits: loops and attacks do. */
import type { Request, RequestHandler } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { sendTo } from '../http/send-to.ts';
import type { Holder } from './holder.ts';

/** Requests within a minute. */
export type RequestRates = Readonly<Record<Holder['kind'], number>>;

export interface RequestLimits {
  /** For how many seconds these have to wait; 0: not at all. `cost` in requests. */
  waitOf(holders: readonly Holder[], cost: number): Promise<number>;
}

/**
 * A page that is open asks at most once a second, when everything changes all the time: a person may have twenty of them in sight,
 * or twenty runs of a script that wait. A link is read by as many people as it is shown to. An address may be that of an office, or
 * of a proxy that nobody said to trust.
 */
const RATES: RequestRates = { person: 1_200, link: 1_800, address: 3_600 };

const WINDOW_S = 60;

export function createRequestLimits(rates: RequestRates = RATES): RequestLimits {
  const limiterOf = (kind: Holder['kind']) => new RateLimiterMemory({ points: rates[kind], duration: WINDOW_S });
  const limiters = { person: limiterOf('person'), link: limiterOf('link'), address: limiterOf('address') };
  return {
    async waitOf(holders, cost) {
      for (const { kind, id } of holders) {
        const waitS = await waitAt(limiters[kind], id, cost);
        if (waitS > 0) return waitS;
      }
      return 0;
    },
  };
}

async function waitAt(limiter: RateLimiterMemory, id: string, cost: number): Promise<number> {
  try {
    await limiter.consume(id, cost);
    return 0;
  } catch (error) {
    if (error instanceof RateLimiterRes) return Math.max(1, Math.ceil(error.msBeforeNext / 1_000));
    throw error;
  }
}

/** Comes before all routes but those whose answers are in memory. */
export function limitRequests(
  limits: RequestLimits,
  holdersOf: (request: Request) => Promise<readonly Holder[]>,
): RequestHandler {
  return async (request, response, next) => {
    const waitS = await limits.waitOf(await holdersOf(request), costOf(request.path));
    if (waitS === 0) {
      next();
      return;
    }
    response.set('retry-after', String(waitS));
    sendTo(request)(response, {
      status: 429,
      title: 'Too many requests',
      sentence: `Too many requests came within a minute with this login, by this link or from this address: try again in ${waitS} s.`,
    });
  };
}

/** A file of the audit trail reads what a hundred pages do. */
const EXPORT_COST = 60;

function costOf(path: string): number {
  return /^\/activity\.\w+$/.test(path) ? EXPORT_COST : 1;
}
