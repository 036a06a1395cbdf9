/** Bounds the streams that a console keeps open, of events and of logs together: all of them, and those of one holder. */
import type { Response } from 'express';
import { sendProblem } from '../http/send-problem.ts';
import type { Holder } from './holder.ts';

export interface StreamSlots {
  /** The stream counts for each of the holders. */
  acquire(holders: readonly Holder[]): StreamSlot;
  /** How many streams are open. */
  taken(): number;
}

export type StreamSlot =
  /** `leave` gives the slot back, and must be called once. */
  | { readonly kind: 'taken'; readonly leave: () => void }
  | { readonly kind: 'refused'; readonly by: 'console' | 'holder' };

export type StreamLimits = Readonly<Record<Holder['kind'] | 'all', number>>;

/**
 * A listener keeps a thousand connections open: the others are for requests that are answered at once. A person may have ten pages in
 * sight, of up to three streams each. The readers of one link beyond the twelfth have a page that asks now and then. An office, or a
 * proxy that nobody said to trust, has one address.
 */
const LIMITS: StreamLimits = { all: 600, person: 32, link: 12, address: 100 };

export function createStreamSlots(limits: Partial<StreamLimits> = {}): StreamSlots {
  const limitOf = { ...LIMITS, ...limits };
  const takenBy = new Map<string, number>();
  const add = (owner: string, change: 1 | -1) => {
    const taken = (takenBy.get(owner) ?? 0) + change;
    if (taken === 0) takenBy.delete(owner);
    else takenBy.set(owner, taken);
  };
  return {
    acquire(holders) {
      const isFull = (kind: keyof StreamLimits, owner: string) => (takenBy.get(owner) ?? 0) >= limitOf[kind];
      if (isFull('all', ALL)) return { kind: 'refused', by: 'console' };
      if (holders.some((holder) => isFull(holder.kind, ownerOf(holder)))) return { kind: 'refused', by: 'holder' };
      const owners = [ALL, ...holders.map(ownerOf)];
      for (const owner of owners) add(owner, 1);
      return {
        kind: 'taken',
        leave() {
          for (const owner of owners) add(owner, -1);
        },
      };
    },
    taken: () => takenBy.get(ALL) ?? 0,
  };
}

const ALL = '';

function ownerOf({ kind, id }: Holder): string {
  return `${kind} ${id}`;
}

/** People close pages all the time. */
const RETRY_AFTER_S = 10;

export function refuseStream(response: Response, by: 'console' | 'holder'): void {
  response.set('retry-after', String(RETRY_AFTER_S));
  sendProblem(response, by === 'console' ? ALL_TAKEN : OWN_TAKEN);
}

const ALL_TAKEN = {
  status: 503,
  title: 'Too many streams',
  sentence: 'The console has as many open streams as it can serve. Try again in a moment; pages go on without one.',
};

const OWN_TAKEN = {
  status: 429,
  title: 'Too many streams',
  sentence:
    'As many streams are open as one login, one link or one address may have. End another one, or try again in a moment; pages go on without one.',
};
