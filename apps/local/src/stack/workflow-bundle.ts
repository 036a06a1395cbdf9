import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Folders } from './folders.ts';
import { APPS } from './processes.ts';

/**
 * Bundles the workflows as they are in this checkout, once for all workers and all their starts. Returns the file's path;
 * throws an error with the output of the build.
 */
export function buildWorkflowBundle({ top }: Folders, signal: AbortSignal | undefined): Promise<string> {
  return bundleOf(APPS, path.join(top, 'workflows.js'), signal);
}

/** The same from the apps of another checkout. */
export async function bundleOf(apps: string, file: string, signal?: AbortSignal): Promise<string> {
  const argv = ['--disable-warning=ExperimentalWarning', path.join(apps, 'worker/src/build-bundle.ts'), file];
  await promisify(execFile)(process.execPath, argv, { ...(signal && { signal }) });
  return file;
}
