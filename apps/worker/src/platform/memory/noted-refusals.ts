/**
 * Which refusals of people who are no operators go to the audit trail: the first one of a person in an hour. Anybody who is logged in can
 * ask again and again, and each event stays for ever, so that the others of its day would be lost among them.
 */
import { LRUCache } from 'lru-cache';

export interface NotedRefusals {
  /** Whether this refusal is the one to be noted: again for each attempt at the same request, whose result may have been lost. */
  isNoted(login: string, delivery: string): boolean;
}

const NOTED_MS = 3_600_000;

/** A hundred bytes each. People who are not in the company do not get as far as here. */
const PEOPLE_LIMIT = 10_000;

export function createNotedRefusals(): NotedRefusals {
  const noted = new LRUCache<string, string>({ max: PEOPLE_LIMIT, ttl: NOTED_MS, ttlResolution: 0 });
  return {
    isNoted(login, delivery) {
      const key = login.toLowerCase();
      const first = noted.get(key);
      if (first === undefined) noted.set(key, delivery);
      return first === undefined || first === delivery;
    },
  };
}
