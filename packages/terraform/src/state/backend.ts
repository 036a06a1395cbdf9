/** Where an init put the state of a root. */
import path from 'node:path';
import { z } from 'zod';
import type { Environment } from '../environment.ts';
import { readTreeFile } from '../tree-file.ts';

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
    const text = await readTreeFile(path.join(dataDir, 'terraform.tfstate'), treeDir, LIMIT_BYTES);
    return Configured.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
