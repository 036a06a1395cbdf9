/**
 * The latest changes, each with an id, so that a client who comes back gets what it has missed. Ids of another log, be it that of
 * another console or of this one before a restart, are not known here.
 */
import { randomUUID } from 'node:crypto';
import { dataOf, type Change } from './change.ts';

export interface Entry {
  readonly id: string;
  readonly change: Change;
  /** The `data` of its event as JSON: made once for all streams. */
  readonly data: string;
}

export interface ChangeLog {
  /** Adds changes that came together, and tells everybody who listens. */
  readonly publish: (changes: readonly Change[]) => void;
  /** All that is newer than an id; undefined when that is not known. */
  since(id: string): readonly Entry[] | undefined;
  /** The id of the newest change. */
  lastId(): string;
  /** Returns what ends it. */
  listen(listener: Listener): () => void;
}

export type Listener = (entries: readonly Entry[]) => void;

/** Changes of minutes, in a fleet at work: half a kilobyte each. */
const KEPT_BYTES = 4 * 1_024 * 1_024;

/** To take the whole state again costs less than so many changes. A stream has at most as much to send at a time. */
const TOGETHER_BYTES = 1_024 * 1_024;

export function createChangeLog(): ChangeLog {
  const listeners = new Set<Listener>();
  let epoch = newEpoch();
  let count = 0;
  let kept: Entry[] = [];
  let keptBytes = 0;

  function add(change: Change, data: string): Entry {
    count += 1;
    const entry = { id: idOf(epoch, count), change, data };
    kept.push(entry);
    keptBytes += data.length;
    return entry;
  }

  function forgetOldest(): void {
    let gone = 0;
    for (; keptBytes > KEPT_BYTES; gone += 1) keptBytes -= kept[gone]?.data.length ?? 0;
    if (gone > 0) kept = kept.slice(gone);
  }

  /** Nobody can go on from an earlier id. */
  function startAnew(): Entry {
    epoch = newEpoch();
    count = 0;
    kept = [];
    keptBytes = 0;
    return add({ kind: 'reset' }, '{}');
  }

  return {
    publish(changes) {
      if (changes.length === 0) return;
      const told = changes.map((change) => ({ change, data: JSON.stringify(dataOf(change)) }));
      const bytes = told.reduce((sum, { data }) => sum + data.length, 0);
      const entries = bytes > TOGETHER_BYTES ? [startAnew()] : told.map(({ change, data }) => add(change, data));
      forgetOldest();
      for (const listener of listeners) listener(entries);
    },
    since(id) {
      const number = /^(?<epoch>[\da-f]{8})-(?<number>\d{1,15})$/.exec(id)?.groups;
      const from = Number(number?.['number']);
      const isKnown = number?.['epoch'] === epoch && from <= count && from >= count - kept.length;
      return isKnown ? kept.slice(kept.length - (count - from)) : undefined;
    },
    lastId: () => idOf(epoch, count),
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Unlike any other, as good as certainly. */
function newEpoch(): string {
  return randomUUID().slice(0, 8);
}

function idOf(epoch: string, count: number): string {
  return `${epoch}-${count}`;
}
