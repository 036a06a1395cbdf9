import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { withInstallLock } from './install-lock.ts';
import type { Report } from './report.ts';

export interface Installation {
  /** Appears complete or not at all. */
  readonly folder: string;
  readonly report: Report;
  /** Puts everything into the folder it is given, which is renamed to `folder` afterwards. */
  readonly install: (staging: string) => Promise<void>;
  /** Ends the wait for another installation, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Installs into a staging folder and renames it, so that a run that dies half way leaves nothing that looks installed. */
export async function installOnce({ folder, report, install, signal }: Installation): Promise<void> {
  if (await exists(folder)) return;
  await mkdir(path.dirname(folder), { recursive: true });
  await withInstallLock({ file: `${folder}.lock`, report, signal }, async () => {
    if (await exists(folder)) return;
    const staging = await mkdtemp(`${folder}.new-`);
    try {
      await install(staging);
      await rename(staging, folder);
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  });
}

export async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch {
    return false;
  }
}
