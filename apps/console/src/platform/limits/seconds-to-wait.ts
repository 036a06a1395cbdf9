import { RateLimiterRes, type RateLimiterMemory } from 'rate-limiter-flexible';

/** Uses up a point of the key. Returns the seconds until the key has one again; 0 when it had one. */
export async function secondsToWait(limiter: RateLimiterMemory, key: string): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (error) {
    if (error instanceof RateLimiterRes) return Math.ceil(error.msBeforeNext / 1_000);
    throw error;
  }
}
