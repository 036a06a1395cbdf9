import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../operator/command.ts';

/** Where a worker's image has the bundle, below its root and below its own folder. */
const IN_IMAGE = ['app/dist/workflows.js', 'dist/workflows.js'] as const;

/** The bundle in a folder with the files of an image, or the file itself. Throws a `UsageError`. */
export async function findBundle(path: string): Promise<string> {
  for (const candidate of [path, ...IN_IMAGE.map((inside) => join(path, inside))])
    if (await isFile(candidate)) return candidate;
  throw new UsageError(
    `expected a workflow bundle, or a folder with ${IN_IMAGE.join(' or ')}, after --with, found none at ${path}`,
  );
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true;
}
