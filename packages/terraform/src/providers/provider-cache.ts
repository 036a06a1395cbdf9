/**
 * Providers that were downloaded once, for all inits of this host, however many run at once.
 *
 * Terraform's own plugin cache is not safe to share: it takes no lock, and unpacks over files that another root runs. So no
 * init gets the shared packages as its cache. Each gets a folder of its own, made anew, in which is what its root's lock file
 * names and nothing else; Terraform uses that and downloads the rest beside it. What it downloaded is copied to the shared
 * packages when the init has succeeded.
 *
 * - A package is stored under its `h1:` hash, and placed for whoever's own lock file names that hash. So a root gets what its
 *   lock file promises, whoever published it; a root without that hash in its lock file downloads.
 * - Every package is hashed where it was placed, before Terraform sees it. One that changed is taken out and downloaded again.
 * - What is placed are links to the shared files, read-only. An init writes to none of them: it finds them good. So does every
 *   plan and apply, which hash them again and refuse what their lock file does not name.
 *
 * It does not keep out code that a root runs and that means harm: it runs as the worker's user, and can write whatever the
 * worker can, the working trees of others too.
 */
import { lstat, mkdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { platform } from '../binary/sources.ts';
import { readLockFile, type LockedProvider } from './lock-file.ts';
import { createPackageStore, type KeptPackage, type PackageStoreOptions } from './package-store.ts';

export interface PluginFolder {
  /** Where the lock file is. */
  readonly rootDir: string;
  /** For `TF_PLUGIN_CACHE_DIR`: of one init, outside the tree. What it holds goes. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
}

/** Neither fails for a package: it is downloaded, now or the next time, and `onProblem` is told. */
export interface ProviderCache {
  /** Before an init. Answers what was placed, for `collect`. */
  fill(plugins: PluginFolder): Promise<ReadonlySet<string>>;
  /** After an init that succeeded. */
  collect(plugins: PluginFolder, placed: ReadonlySet<string>): Promise<void>;
  kept(): Promise<readonly KeptPackage[]>;
}

/** Each is hashed before it is used. A root of more than this downloads the rest. */
const PROVIDERS_LIMIT = 100;

export function createProviderCache(options: PackageStoreOptions): ProviderCache {
  const store = createPackageStore(options);
  /** Hashes. Of inits that downloaded the same at once, one publishes it. */
  const publishing = new Set<string>();

  return {
    async fill({ rootDir, folder, signal }) {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const placed = new Set<string>();
      for (const provider of (await readLockFile(rootDir)).slice(0, PROVIDERS_LIMIT)) {
        if (signal?.aborted) break;
        if (await placeFirst(provider.hashes, placeOf(provider, folder))) placed.add(provider.path);
      }
      return placed;
    },
    async collect({ rootDir, folder }, placed) {
      const top = await realpath(folder);
      for (const provider of await readLockFile(rootDir)) {
        const found = placeOf(provider, top);
        if (placed.has(provider.path) || !(await isOwnFolder(found))) continue;
        await publish(found, provider.hashes).catch(options.onProblem);
      }
    },
    kept: () => store.kept(),
  };

  /** A lock file has a hash for each platform; that of this one is among the packages of this one. */
  async function placeFirst(hashes: readonly string[], to: string): Promise<boolean> {
    for (const hash of hashes) {
      if (await store.place(hash, to)) return true;
    }
    return false;
  }

  async function publish(found: string, hashes: readonly string[]): Promise<void> {
    if (hashes.some((hash) => publishing.has(hash))) return;
    for (const hash of hashes) publishing.add(hash);
    try {
      for (const hash of hashes) if (await store.has(hash)) return;
      await store.publish(found, hashes);
    } finally {
      for (const hash of hashes) publishing.delete(hash);
    }
  }
}

/** Where Terraform looks for it in a plugin cache. */
function placeOf(provider: LockedProvider, folder: string): string {
  return path.join(folder, provider.path, platform());
}

/** Terraform links what it has on the disk already, from a mirror in a folder; no link leads out of here. */
async function isOwnFolder(found: string): Promise<boolean> {
  try {
    return (await lstat(found)).isDirectory() && (await realpath(found)) === found;
  } catch {
    return false;
  }
}
