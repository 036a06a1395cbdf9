/** Does what operators asked of this host in the console: it drains, and takes work again. */
import type { HostAction } from '@nereid/domain/actions';
import type { DrainRecords } from '@nereid/storage';
import type { Logger } from 'pino';
import type { Slots } from '../slots/slots.ts';

export interface DrainAsAskedOptions {
  readonly hostId: string;
  readonly drains: Pick<DrainRecords, 'read'>;
  readonly slots: Pick<Slots, 'drain' | 'resume'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** Returns a function that reads one object of storage, and never throws. An unreadable request changes nothing. */
export function createDrainAsAsked({ hostId, drains, slots, logger }: DrainAsAskedOptions): () => Promise<void> {
  let done: HostAction = 'resume';
  return async () => {
    try {
      const { action, by } = (await drains.read(hostId)) ?? NOTHING_ASKED;
      if (action === done) return;
      done = action;
      if (action === 'drain') slots.drain('asked');
      else slots.resume();
      logger.info({ host: hostId, action, by }, 'this host does what an operator asked');
    } catch (error) {
      logger.warn(
        { err: error, host: hostId },
        'what operators ask of this host could not be read: it goes on as it is',
      );
    }
  };
}

const NOTHING_ASKED = { action: 'resume', by: undefined } as const;
