/**
 * The task tokens of the activities that this worker runs, in a file that outlives it.
 *
 * Each running activity has a slot of the file: the length of its token, 0 for a free slot, then the token. Writes are
 * synchronous, because that takes microseconds, while a file for each activity took a twentieth of the worker's work. They are
 * not synced: the file is for the death of this process, not of its machine.
 */
import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';

export interface RunningActivities {
  /** Returns the slot of the activity; undefined for a token that is too long. */
  add(token: Uint8Array): number | undefined;
  remove(slot: number): void;
  /** Empties the file, and returns the tokens in it. Call it before the first `add`. */
  takeAll(): readonly Uint8Array[];
  close(): void;
}

/** Tokens of Temporal 1.31 have some 250 bytes. */
const SLOT_BYTES = 2_048;

const LENGTH_BYTES = 2;

const FREE = new Uint8Array(LENGTH_BYTES);

export function openRunningActivities(path: string): RunningActivities {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  const free: number[] = [];
  let slots = 0;

  return {
    add(token) {
      if (LENGTH_BYTES + token.length > SLOT_BYTES) return undefined;
      const record = Buffer.alloc(LENGTH_BYTES + token.length);
      record.writeUInt16BE(token.length);
      record.set(token, LENGTH_BYTES);
      const slot = free.pop() ?? slots;
      writeSync(file, record, 0, record.length, slot * SLOT_BYTES);
      slots = Math.max(slots, slot + 1);
      return slot;
    },
    remove(slot) {
      writeSync(file, FREE, 0, LENGTH_BYTES, slot * SLOT_BYTES);
      free.push(slot);
    },
    takeAll() {
      const tokens = [...tokensIn(readFileSync(path))];
      ftruncateSync(file);
      return tokens;
    },
    close: () => {
      closeSync(file);
    },
  };
}

/** A slot that a full disk or a foreign program cut off is left out. */
function* tokensIn(records: Buffer): Generator<Uint8Array> {
  for (let at = 0; at + LENGTH_BYTES <= records.length; at += SLOT_BYTES) {
    const start = at + LENGTH_BYTES;
    const end = start + records.readUInt16BE(at);
    if (end > start && end <= records.length) yield records.subarray(start, end);
  }
}
