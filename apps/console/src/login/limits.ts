/** How often people log in, as far as that costs something: each code that somebody brings is a request to the provider. */
import type { Request } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

export interface LoginLimits {
  /** For how many seconds the client has to wait; 0: not at all. */
  ofClient(request: Request): Promise<number>;
  /** The login of this client succeeded, so it does not count. */
  succeeded(request: Request): Promise<void>;
  ofPerson(login: string): Promise<number>;
}

/** Logins that failed. An office has one address. */
const OF_ADDRESS = { points: 120, duration: 600 };

/** Some browsers of one person, again and again. */
const OF_PERSON = { points: 20, duration: 600 };

/**
 * Behind a proxy that nobody told us to trust, all people have its address: then one of them could keep the others from logging in,
 * so addresses do not count.
 */
export function createLoginLimits(trustedProxies: readonly string[]): LoginLimits {
  const addressOf = (request: Request) =>
    trustedProxies.length === 0 && isForwarded(request) ? undefined : request.ip;
  const [addresses, people] = [new RateLimiterMemory(OF_ADDRESS), new RateLimiterMemory(OF_PERSON)];
  return {
    async ofClient(request) {
      const address = addressOf(request);
      return address === undefined ? 0 : waitOf(addresses, address);
    },
    async succeeded(request) {
      const address = addressOf(request);
      if (address !== undefined) await addresses.reward(address);
    },
    ofPerson: (login) => waitOf(people, login.toLowerCase()),
  };
}

function isForwarded(request: Request): boolean {
  return request.get('x-forwarded-for') !== undefined || request.get('forwarded') !== undefined;
}

async function waitOf(limiter: RateLimiterMemory, key: string): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (error) {
    if (error instanceof RateLimiterRes) return Math.ceil(error.msBeforeNext / 1_000);
    throw error;
  }
}
