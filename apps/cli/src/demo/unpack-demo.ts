/** The demo's own sources: in a clone they are at hand, and the package has a copy of them. */
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { World } from '../world.ts';

export interface DemoSources {
  readonly folder: string;
  /** They came with the package: then nobody develops them, and the packages for that are not needed. */
  readonly isUnpacked: boolean;
}

const TOP_OF_APP = path.join(import.meta.dirname, '../..');
const CLONE = path.join(TOP_OF_APP, '../..');

/** Only the package has this folder. */
const PACKED = path.join(TOP_OF_APP, 'demo');

/** Copies the sources of the package into the cache, where npm can install what they need. Does so once for each package. */
export async function unpackDemo(world: Pick<World, 'env' | 'home'>): Promise<DemoSources> {
  if (!(await exists(PACKED))) return { folder: CLONE, isUnpacked: false };
  const digest = (await readFile(path.join(PACKED, 'digest'), 'utf8')).trim();
  const folder = path.join(cacheFolder(world), `demo-${digest}`);
  if (!(await exists(folder))) await copyTo(folder);
  return { folder, isUnpacked: true };
}

/** It appears complete or not at all. */
async function copyTo(folder: string): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true });
  const staging = await mkdtemp(`${folder}.new-`);
  try {
    await cp(PACKED, staging, { recursive: true });
    await rename(staging, folder);
  } catch (error) {
    // Another `nereid demo` may have been faster.
    if (!(await exists(folder))) throw error;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** The same as that of .config/prepared.sh, which the demo starts with. */
function cacheFolder({ env, home }: Pick<World, 'env' | 'home'>): string {
  const named = env['NEREID_CACHE'] ?? '';
  if (named !== '') return path.resolve(named);
  const caches = env['XDG_CACHE_HOME'] ?? '';
  return path.join(caches === '' ? path.join(home, '.cache') : path.resolve(caches), 'nereid');
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}
