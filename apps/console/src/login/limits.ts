/** How often people log in. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

export interface LoginLimits {
  /** For how many seconds the client at this address has to wait; 0: not at all. */
  ofAddress(address: string | undefined): Promise<number>;
  ofPerson(login: string): Promise<number>;
  /** Of the questions of one login from a terminal, which come from addresses that others have as well. */
  ofDevice(id: string): Promise<number>;
}

/** An office has one address; each login takes two requests. */
const OF_ADDRESS = { points: 120, duration: 600 };

/** Some browsers of one person, again and again. */
const OF_PERSON = { points: 20, duration: 600 };

/** A question a second, which is as often as any provider says. */
const OF_DEVICE = { points: 60, duration: 60 };

export function createLoginLimits(): LoginLimits {
  const [addresses, people] = [new RateLimiterMemory(OF_ADDRESS), new RateLimiterMemory(OF_PERSON)];
  const devices = new RateLimiterMemory(OF_DEVICE);
  return {
    ofAddress: (address = 'unknown') => waitOf(addresses, address),
    ofPerson: (login) => waitOf(people, login.toLowerCase()),
    ofDevice: (id) => waitOf(devices, id),
  };
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
