import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isSegment } from './object-key.ts';

/** A write of another process may be under way; none goes without a byte for an hour. */
const LEFTOVER_AFTER_MS = 3_600_000;

/** The names under which writes are staged; the lock and its companions are none of them. */
const STAGED = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** Removes what writers that crashed left in the staging folder. */
export async function sweep(staging: string): Promise<void> {
  const names = await readdir(staging);
  await Promise.all(
    names.filter((name) => STAGED.test(name) && isSegment(name)).map((name) => sweepOne(join(staging, name))),
  );
}

async function sweepOne(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  // Gone by now: its writer lives and has renamed it.
  if (found === undefined || Date.now() - found.mtimeMs < LEFTOVER_AFTER_MS) return;
  await rm(path, { force: true });
}
