/** How often people log in, as far as that costs something: each code that somebody brings is a request to the provider. */
import type { Request } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { secondsToWait } from '../platform/limits/seconds-to-wait.ts';

export interface LoginLimits {
  /** The address of a client; undefined where nobody says it. */
  addressOf(request: Request): string | undefined;
  /** For how many seconds the client at this address has to wait; 0: not at all. */
  ofAddress(address: string | undefined): Promise<number>;
  /** The login of a client at this address succeeded, so it does not count. */
  succeeded(address: string | undefined): Promise<void>;
  ofPerson(login: string): Promise<number>;
  /** Of the questions of one login from a terminal, which come from addresses that others have as well. */
  ofDevice(id: string): Promise<number>;
  /** Asks the provider, unless so many others do that it would be flooded. */
  unlessBusy<T>(ask: () => Promise<T>): Promise<T | 'busy'>;
}

/** Logins that failed. An office has one address. */
const OF_ADDRESS = { points: 120, duration: 600 };

/** Some browsers of one person, again and again. */
const OF_PERSON = { points: 20, duration: 600 };

/** A question a second, which is as often as any provider says. */
const OF_DEVICE = { points: 60, duration: 60 };

/** A provider answers within a second, so these are more than anybody logs in. */
const AT_ONCE = 20;

/**
 * Behind a proxy that nobody told us to trust, all people have its address: then one of them could keep the others from logging in,
 * so addresses do not count.
 */
export function createLoginLimits(trustedProxies: readonly string[]): LoginLimits {
  const [addresses, people] = [new RateLimiterMemory(OF_ADDRESS), new RateLimiterMemory(OF_PERSON)];
  const devices = new RateLimiterMemory(OF_DEVICE);
  let asking = 0;
  return {
    addressOf: (request) => (trustedProxies.length === 0 && isForwarded(request) ? undefined : request.ip),
    ofAddress: async (address) => (address === undefined ? 0 : secondsToWait(addresses, address)),
    async succeeded(address) {
      if (address !== undefined) await addresses.reward(address);
    },
    ofPerson: (login) => secondsToWait(people, login.toLowerCase()),
    ofDevice: (id) => secondsToWait(devices, id),
    async unlessBusy(ask) {
      if (asking >= AT_ONCE) return 'busy';
      asking += 1;
      return ask().finally(() => (asking -= 1));
    },
  };
}

function isForwarded(request: Request): boolean {
  return request.get('x-forwarded-for') !== undefined || request.get('forwarded') !== undefined;
}
