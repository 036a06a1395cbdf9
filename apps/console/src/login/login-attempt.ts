/** A login that has begun: kept in the browser that began it, for as long as a person takes to type a password. */
import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { clearCookie, readCookie, setCookie } from './session/cookies.ts';
import type { Sealer } from './session/sealer.ts';

const Attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Of the page to which the person goes back. */
  to: z.string(),
});
export type Attempt = z.infer<typeof Attempt>;

export interface LoginAttempts {
  begin(response: Response, to: string): Promise<Attempt>;
  /** Returns the attempt of this browser, once; undefined without one. */
  finish(request: Request, response: Response): Promise<Attempt | undefined>;
}

const COOKIE = 'nereid-login';

const LIFE_S = 600;

/** 256 bits each: nobody guesses them. */
const RANDOM_BYTES = 32;

/** More than log in within ten minutes. */
const FINISHED_LIMIT = 10_000;

export function createLoginAttempts(sealer: Sealer): LoginAttempts {
  const finished = new LRUCache<string, true>({ max: FINISHED_LIMIT, ttl: LIFE_S * 1_000 });
  return {
    async begin(response, to) {
      const attempt = { state: random(), nonce: random(), verifier: random(), to };
      setCookie(response, COOKIE, await sealer.seal('login', attempt, LIFE_S), LIFE_S * 1_000);
      return attempt;
    },
    async finish(request, response) {
      const text = readCookie(request, COOKIE);
      clearCookie(response, COOKIE);
      const read = Attempt.safeParse(text === undefined ? undefined : await sealer.open('login', text));
      if (!read.success || finished.has(read.data.state)) return undefined;
      finished.set(read.data.state, true);
      return read.data;
    },
  };
}

function random(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url');
}
