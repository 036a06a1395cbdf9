/**
 * Downloads each provider once for all inits of this host, however many run at once.
 *
 * Terraform's own plugin cache is not safe to share: Terraform does not lock it, and unpacks over files that another root
 * runs. So no init gets the shared packages as its cache. Each init gets its own new folder, with the packages that its
 * root's lock file names and no others; Terraform uses these and downloads the rest beside them. After a successful init,
 * the downloads are copied to the shared packages.
 *
 * - A package is stored under its `h1:` hash, and placed only for roots whose lock file names that hash. So a root gets the
 *   files that its lock file promises, whoever published them; a root without that hash in its lock file downloads.
 * - Every package is hashed where it was placed, before Terraform sees it. A changed package is removed and downloaded again.
 * - The placed files are read-only links to the shared ones. An init does not write to them, because their hash is right.
 *   Every plan and apply hashes them again and refuses packages that its lock file does not name.
 *
 * Code of a root cannot change the linked files: in its sandbox, they are read-only. Without a sandbox, it can.
 */
import { lstat, mkdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { platform } from '../binary/sources.ts';
import { readLockFile, type LockedProvider } from './lock-file.ts';
import { createPackageStore, type KeptPackage, type PackageStoreOptions } from './package-store.ts';

export interface PluginFolder {
  /** The folder of the lock file. */
  readonly rootDir: string;
  /** For `TF_PLUGIN_CACHE_DIR`: the folder of one init, outside the tree. `fill` empties it first. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
}

export type PlacedPackages = ReadonlyMap<string, string>;

/** No method fails because of a package: it is downloaded, now or the next time, and `onProblem` is called. */
export interface ProviderCache {
  /** Call it before an init. Returns the folders of the placed packages, by provider. */
  fill(plugins: PluginFolder): Promise<PlacedPackages>;
  /** Call it after a successful init. */
  collect(plugins: PluginFolder, placed: PlacedPackages): Promise<void>;
  kept(): Promise<readonly KeptPackage[]>;
}

/** Each provider is hashed before it is used. A root with more providers downloads the rest. */
const PROVIDERS_LIMIT = 100;

export function createProviderCache(options: PackageStoreOptions): ProviderCache {
  const store = createPackageStore(options);
  /** Hashes. When several inits download the same package at once, only one of them publishes it. */
  const publishing = new Set<string>();

  return {
    async fill({ rootDir, folder, signal }) {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const placed = new Map<string, string>();
      for (const provider of (await readLockFile(rootDir)).slice(0, PROVIDERS_LIMIT)) {
        if (signal?.aborted) break;
        const place = placeOf(provider, folder);
        if (await placeFirst(provider.hashes, place)) placed.set(provider.path, place);
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

  /** A lock file has a hash for each platform; the store has only packages of this platform. */
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

/** Where Terraform looks for the provider in a plugin cache. */
function placeOf(provider: LockedProvider, folder: string): string {
  return path.join(folder, provider.path, platform());
}

/** Terraform links packages that it finds in a mirror on the disk; links are not published, so none leads out of the cache. */
async function isOwnFolder(found: string): Promise<boolean> {
  try {
    return (await lstat(found)).isDirectory() && (await realpath(found)) === found;
  } catch {
    return false;
  }
}
