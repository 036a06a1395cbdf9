/**
 * The task tokens of the activities that this worker runs, in a file that outlives it.
 *
 * Each running activity has a slot of the file: the length of its token, 0 for a free slot, then the token. Writes are
 * synchronous, because that takes microseconds, while a file for each activity took a twentieth of the worker's work. They are
 * not synced: the file is for the death of this process, not of its machine.
 */
import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';

export interface RunningActivities {
  /** Returns the slot of the activity. Throws when the disk does not take it, and `RangeError` for a token that is too long. */
  add(token: Uint8Array): number;
  /** Throws when the disk does not take it. The slot is not used again then. */
  remove(slot: number): void;
  /** The tokens of the activities that have not ended. */
  read(): readonly Uint8Array[];
  /** Forgets them all. Call it before the first `add`. */
  clear(): void;
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

  function write(slot: number, bytes: Uint8Array): void {
    const written = writeSync(file, bytes, 0, bytes.length, slot * SLOT_BYTES);
    if (written < bytes.length) throw new Error(`expected to write ${bytes.length} bytes, found room for ${written}`);
  }

  return {
    add(token) {
      const length = LENGTH_BYTES + token.length;
      if (length > SLOT_BYTES) throw new RangeError(`expected a task token that fits a slot, found ${length} bytes`);
      const record = Buffer.alloc(length);
      record.writeUInt16BE(token.length);
      record.set(token, LENGTH_BYTES);
      const slot = free.at(-1) ?? slots;
      write(slot, record);
      if (slot === slots) slots += 1;
      else free.pop();
      return slot;
    },
    remove(slot) {
      write(slot, FREE);
      free.push(slot);
    },
    read: () => [...tokensIn(readFileSync(path))],
    clear: () => {
      ftruncateSync(file);
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
