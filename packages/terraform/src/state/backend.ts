/** Where an init put the state of a root. */
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Environment } from '../environment.ts';

export type Backend = z.infer<typeof Backend>;

/** Its settings may be secret; a setting that is not given is null. */
const Backend = z.object({ type: z.string(), config: z.record(z.string(), z.unknown()).nullish() });

/** Terraform calls a store of states that comes from a provider by another name. */
const Configured = z.union([
  z.object({ backend: Backend }).transform(({ backend }) => backend),
  z.object({ state_store: Backend }).transform(({ state_store: store }) => store),
]);

/** The folder that Terraform works in, absolute: `.terraform` in the root, unless the environment says otherwise. */
export function dataDirOf(rootDir: string, env: Environment): string {
  const { TF_DATA_DIR: named = '' } = env;
  return path.resolve(rootDir, named === '' ? '.terraform' : named);
}

/** The settings of a backend have kilobytes. */
const LIMIT_BYTES = 1024 * 1024;

/**
 * As the last init left it; undefined when that found no backend. The file is in the tree of the root, whose code may have written
 * it: it may be anything, and says what is true only of roots that are honest.
 */
export async function readBackend(dataDir: string, treeDir: string): Promise<Backend | undefined> {
  try {
    const file = await realpath(path.join(dataDir, 'terraform.tfstate'));
    if (!file.startsWith((await realpath(treeDir)) + path.sep)) return undefined;
    return Configured.safeParse(JSON.parse(await readBounded(file))).data;
  } catch {
    return undefined;
  }
}

/** A pipe would be waited for, and a device has no end. */
async function readBounded(file: string): Promise<string> {
  await using handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const found = await handle.stat();
  if (!found.isFile() || found.size > LIMIT_BYTES) return '';
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(found.size), 0, found.size, 0);
  return buffer.toString('utf8', 0, bytesRead);
}
