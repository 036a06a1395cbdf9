import { RateLimiterRes, type RateLimiterMemory } from 'rate-limiter-flexible';

/** Uses up a point. Returns for how many seconds whoever has this key has to wait; 0: not at all. */
export async function secondsToWait(limiter: RateLimiterMemory, key: string): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (error) {
    if (error instanceof RateLimiterRes) return Math.ceil(error.msBeforeNext / 1_000);
    throw error;
  }
}
