/**
 * Writes audit events to one file, as lines of JSON. Each is synced before `record` returns.
 *
 * A file lock covers both the search for a repeated event and the append, so several processes may write to one file.
 * A line that a crash cut off stays in the file as a line of its own, and its event is recorded again below it.
 */
import { fstatSync, readSync, writeSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createFileLock } from '@nereid/storage';
import type { TrailEvent } from '@nereid/domain/trail';
import type { Audit } from './audit.ts';
import { AuditUnavailableError } from './errors.ts';
import { createRecentIds, type RecentIds } from './recent-ids.ts';

/** How far back to look for a repeated event: about 2,000 events, far more than arrive while one is retried. */
const LOOK_BACK_BYTES = 1024 * 1024;

const NEWLINE = 0x0a;

export function createFileAudit(path: string): Audit {
  const lock = createFileLock(`${path}.lock`);
  const ids = createRecentIds();
  let folder: Promise<void> | undefined;

  function prepare(): Promise<void> {
    folder ??= makeFile(path).catch((cause: unknown) => {
      folder = undefined;
      throw cause;
    });
    return folder;
  }

  async function append(event: TrailEvent): Promise<void> {
    const file = await open(path, 'a+', 0o640);
    try {
      await lock.hold(() => {
        appendOnce(file.fd, event, ids);
      });
      // Also needed for an event that was already there: the process that wrote it may have died before the sync.
      await file.datasync();
    } finally {
      await file.close();
    }
  }

  return {
    async record(event) {
      try {
        await prepare();
        await append(event);
      } catch (cause) {
        throw new AuditUnavailableError(event.id, path, { cause });
      }
    },

    close: () => {
      lock.close();
    },
  };
}

/** Makes the file and its name durable, once, before the first event relies on them. */
async function makeFile(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o750 });
  await (await open(path, 'a', 0o640)).close();
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function appendOnce(file: number, event: TrailEvent, ids: RecentIds): void {
  const { size, ino } = fstatSync(file);
  const from = ids.startFrom(size, ino, LOOK_BACK_BYTES);
  ids.learn(readFrom(file, from, size - from));
  if (ids.has(event.id)) return;
  const isCutOff = size > 0 && readFrom(file, size - 1, 1)[0] !== NEWLINE;
  writeAll(file, Buffer.from(`${isCutOff ? '\n' : ''}${JSON.stringify(event)}\n`));
}

function readFrom(file: number, position: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  return buffer.subarray(0, readSync(file, buffer, 0, bytes, position));
}

/** A disk that fills up takes part of a line; the next write then fails with the reason. */
function writeAll(file: number, line: Buffer): void {
  for (let written = 0; written < line.length;) written += writeSync(file, line, written);
}
