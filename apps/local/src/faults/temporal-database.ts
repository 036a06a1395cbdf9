/** Loses, backs up and restores Temporal's database, as operators do. */
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { databaseFileOf } from '../stack/folders.ts';
import type { Stack } from '../stack/stack.ts';

/** Kills Temporal, acts, and starts Temporal again. */
export async function whileTemporalIsAway(stack: Stack, act: () => Promise<void>): Promise<void> {
  await stack.holdDown('temporal');
  await act();
  await stack.letUp('temporal');
}

export async function removeDatabase({ folders }: Stack): Promise<void> {
  for (const file of await filesOf(folders.top)) await rm(path.join(folders.top, file));
}

/** Call it only while Temporal is away: the database and its write-ahead log must be copied in the same state. */
export async function backUpDatabase({ folders }: Stack): Promise<void> {
  const backup = backupOf(folders.top);
  await mkdir(backup);
  for (const file of await filesOf(folders.top)) await cp(path.join(folders.top, file), path.join(backup, file));
}

export async function restoreDatabase(stack: Stack): Promise<void> {
  const { top } = stack.folders;
  await removeDatabase(stack);
  await cp(backupOf(top), top, { recursive: true });
}

function backupOf(top: string): string {
  return path.join(top, 'backup');
}

async function filesOf(top: string): Promise<readonly string[]> {
  const database = path.basename(databaseFileOf({ top }));
  return (await readdir(top)).filter((name) => name.startsWith(database));
}
