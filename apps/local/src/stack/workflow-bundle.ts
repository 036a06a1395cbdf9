import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Folders } from './folders.ts';

const BUILD = path.join(import.meta.dirname, '../../../worker/src/build-bundle.ts');

/**
 * Bundles the workflows as they are in this checkout, once for all workers and all their starts. Returns the file's path;
 * throws an error with the output of the build.
 */
export async function buildWorkflowBundle({ top }: Folders, signal: AbortSignal | undefined): Promise<string> {
  const file = path.join(top, 'workflows.js');
  const argv = ['--disable-warning=ExperimentalWarning', BUILD, file];
  await promisify(execFile)(process.execPath, argv, { ...(signal && { signal }) });
  return file;
}
