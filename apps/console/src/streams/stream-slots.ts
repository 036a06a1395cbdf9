/** Bounds the streams that a console keeps open, of events and of logs together. */
import type { Response } from 'express';
import { sendProblem } from '../html/send-problem.ts';

export interface StreamSlots {
  /** Undefined when all are taken. Otherwise returns what gives the slot back, which must be called once. */
  take(): (() => void) | undefined;
  /** How many are taken. */
  taken(): number;
}

/** A listener keeps a thousand connections open: the others are for requests that are answered at once. */
export const STREAMS_LIMIT = 600;

export function createStreamSlots(limit: number = STREAMS_LIMIT): StreamSlots {
  let taken = 0;
  return {
    take() {
      if (taken >= limit) return undefined;
      taken += 1;
      return () => {
        taken -= 1;
      };
    },
    taken: () => taken,
  };
}

/** People close pages all the time. */
const RETRY_AFTER_S = 10;

export function refuseStream(response: Response): void {
  response.set('retry-after', String(RETRY_AFTER_S));
  sendProblem(response, {
    status: 503,
    title: 'Too many streams',
    sentence: 'The console follows as many streams as it can. Try again in a moment; pages go on without one.',
  });
}
