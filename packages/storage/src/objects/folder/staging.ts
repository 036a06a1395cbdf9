import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isSegment } from '../object-key.ts';

/** Another process may still be writing a file, but no writer goes an hour without a byte. */
const LEFTOVER_AFTER_MS = 3_600_000;

/** The names of staged writes. The lock, and SQLite's files beside it, do not match. */
const STAGED = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** Removes the files that crashed writers left in the staging folder. */
export async function sweep(staging: string): Promise<void> {
  const names = await readdir(staging);
  await Promise.all(
    names.filter((name) => STAGED.test(name) && isSegment(name)).map((name) => sweepOne(join(staging, name))),
  );
}

async function sweepOne(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  // A file that is gone was renamed by its writer.
  if (found === undefined || Date.now() - found.mtimeMs < LEFTOVER_AFTER_MS) return;
  await rm(path, { force: true });
}
