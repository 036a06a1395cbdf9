/** The notifications that a destination has not taken yet, and how it stands with each destination. */
import { FRESH_DESTINATION, type DestinationState, type Notification } from '@nereid/domain/notification';
import { destinationState, notification as schema } from '@nereid/domain/notification/record';
import { BrokenRecordError, isUnreadableRecord, VersionConflictError } from '../errors.ts';
import { ABSENT, type ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from '../record-format.ts';
import {
  destinationKey,
  notificationName,
  parseNotificationName,
  refusedPrefix,
  waitingPrefix,
} from './outbox-keys.ts';

/** Names of destinations are parts of keys: letters, digits and `-`. */
export interface Outbox {
  /** Once this returns, the notification waits for its delivery. */
  keep(destination: string, notification: Notification, arrived: Date): Promise<void>;
  /** The oldest first. */
  listWaiting(destination: string, limit: number): Promise<readonly Waiting[]>;
  /** Undefined when it is gone. Throws `BrokenRecordError` and `UnknownRecordVersionError`. */
  read(waiting: Waiting): Promise<Notification | undefined>;
  /** It was delivered, or is dropped. A missing one is no failure. */
  remove(waiting: Waiting): Promise<void>;
  /** Keeps what a destination refused apart, until somebody has it sent again. */
  setAside(destination: string, waiting: Waiting, notification: Notification): Promise<void>;
  /** Lets the refused notifications wait again, the oldest first, each at most `limit` of a call. Those that cannot be read stay. Returns how many wait. */
  sendAgain(destination: string, limit: number, arrived: Date): Promise<number>;
  /** Removes refused notifications that came before. */
  forgetRefused(destination: string, beforeMs: number): Promise<void>;
  /** One that is broken begins anew: it only knows what need not be sent again. */
  readState(destination: string): Promise<VersionedState | undefined>;
  /** Undefined when somebody else has written it since `version`; without a version, when there is one. */
  writeState(
    destination: string,
    state: DestinationState,
    version: string | undefined,
  ): Promise<VersionedState | undefined>;
}

export interface Waiting {
  readonly key: string;
  readonly arrivedMs: number;
  /** The same for each notification of the same id. */
  readonly digest: string;
}

export interface VersionedState {
  readonly state: DestinationState;
  readonly version: string;
}

const notifications = recordFormat<Notification>(schema, 1);
const states = recordFormat<DestinationState>(destinationState, 1);

export function createOutbox(store: ObjectStore): Outbox {
  async function read({ key }: Waiting): Promise<Notification | undefined> {
    const found = await store.get(key);
    return found && notifications.decode(key, found.body);
  }

  /** It is left where it is, until it is forgotten. */
  async function readUnlessUnreadable(waiting: Waiting): Promise<Notification | undefined> {
    try {
      return await read(waiting);
    } catch (error) {
      if (isUnreadableRecord(error)) return undefined;
      throw error;
    }
  }

  async function put(key: string, notification: Notification): Promise<void> {
    await store.put(key, notifications.encode(key, notification));
  }

  async function list(prefix: string, limit: number): Promise<readonly Waiting[]> {
    const found: Waiting[] = [];
    for await (const key of store.list(prefix, { limit })) {
      const parsed = parseNotificationName(key.slice(prefix.length));
      if (parsed !== undefined) found.push({ key, ...parsed });
    }
    return found;
  }

  return {
    keep: (destination, notification, arrived) =>
      put(`${waitingPrefix(destination)}${notificationName(arrived, notification.id)}`, notification),
    listWaiting: (destination, limit) => list(waitingPrefix(destination), limit),
    read,
    remove: ({ key }) => store.delete(key),

    async setAside(destination, waiting, notification) {
      const arrived = new Date(waiting.arrivedMs);
      await put(`${refusedPrefix(destination)}${notificationName(arrived, notification.id)}`, notification);
      await store.delete(waiting.key);
    },

    async sendAgain(destination, limit, arrived) {
      let count = 0;
      for (const each of await list(refusedPrefix(destination), limit)) {
        const notification = await readUnlessUnreadable(each);
        if (notification === undefined) continue;
        await put(`${waitingPrefix(destination)}${notificationName(arrived, notification.id)}`, notification);
        await store.delete(each.key);
        count += 1;
      }
      return count;
    },

    async forgetRefused(destination, beforeMs) {
      for (const each of await list(refusedPrefix(destination), FORGOTTEN_AT_ONCE)) {
        if (each.arrivedMs >= beforeMs) return;
        await store.delete(each.key);
      }
    },

    async readState(destination) {
      const key = destinationKey(destination);
      const found = await store.get(key);
      return found && { state: decodedUnlessBroken(key, found.body), version: found.version };
    },

    async writeState(destination, state, version = ABSENT) {
      const key = destinationKey(destination);
      try {
        // A power cut may lose the last word: then something is sent twice, with the same id.
        const body = states.encode(key, state);
        return { state, version: await store.put(key, body, { ifVersion: version, synced: false }) };
      } catch (error) {
        if (error instanceof VersionConflictError) return undefined;
        throw error;
      }
    },
  };
}

function decodedUnlessBroken(key: string, body: Uint8Array): DestinationState {
  try {
    return states.decode(key, body);
  } catch (error) {
    if (error instanceof BrokenRecordError) return FRESH_DESTINATION;
    throw error;
  }
}

/** What is left goes with the next call. */
const FORGOTTEN_AT_ONCE = 100;
