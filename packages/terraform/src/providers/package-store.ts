/**
 * Stores packages of providers by their hash: `<dir>/<platform>/<h1, 64 hex digits>/`.
 *
 * A package appears whole, by one rename, under the hash of exactly its files, and is not written again. So two packages
 * that come at once for one name are the same, and none can take the name of another.
 */
import { randomUUID } from 'node:crypto';
import { readdir, rename, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from '@nereid/subprocess';
import { platform } from '../binary/sources.ts';
import { CachedPackageChangedError } from '../errors.ts';
import {
  copyPackage,
  hashPackage,
  linkPackage,
  packageSize,
  removeFolder,
  removePackage,
  sealPackage,
} from './package-files.ts';

export interface PackageStoreOptions {
  /** Used by one process only. */
  readonly dir: string;
  /** Called when a package cannot be used, stored or removed; nothing else fails because of it. */
  readonly onProblem: (error: unknown) => void;
}

export interface PackageStore {
  has(hash: string): Promise<boolean>;
  /** Puts the package at `to`. False when there is none with this hash, or it has changed: then nothing is at `to`. */
  place(hash: string, to: string): Promise<boolean>;
  /** Stores a copy of the folder if its hash is one of `hashes`. */
  publish(from: string, hashes: readonly string[]): Promise<void>;
  kept(): Promise<readonly KeptPackage[]>;
}

/** A package that counts within the disk budget. */
export interface KeptPackage {
  readonly bytes: number;
  /** The time of the last use, in epoch milliseconds; it survives the process. */
  readonly usedAt: number;
  /** Trees that have the package keep it, because they have links to its files. */
  readonly remove: () => Promise<boolean>;
}

/** Codes of errors that make a package useless; `EIO` means that the disk cannot read it any more. */
const SPOILT = ['CACHED_PACKAGE_CHANGED', 'PACKAGE_NOT_PLAIN', 'EIO'];

const HASH = /^[0-9a-f]{64}$/;

export function createPackageStore({ dir, onProblem }: PackageStoreOptions): PackageStore {
  const home = path.join(dir, platform());
  /** Folders that are being made or removed. Any other folder whose name is not a hash was left by an earlier process. */
  const busy = new Set<string>();
  const measured = new Map<string, number>();

  return {
    has: async (hash) => isThere(path.join(home, hash)),
    async place(hash, to) {
      const from = path.join(home, hash);
      try {
        await linkPackage(from, to);
        const found = await hashPackage(to);
        if (found !== hash) throw new CachedPackageChangedError(from, found);
        await utimes(from, new Date(), new Date());
        return true;
      } catch (error) {
        await removeIfThere(to);
        // The package was never there, or was removed meanwhile.
        if (hasErrorCode(error, 'ENOENT')) return false;
        // The package itself is at fault, not the place where it was to go.
        if (SPOILT.some((code) => hasErrorCode(error, code))) await evict(from);
        onProblem(error);
        return false;
      }
    },
    async publish(from, hashes) {
      await aside(async (made) => {
        await copyPackage(from, made);
        const hash = await hashPackage(made);
        if (!hashes.includes(hash) || (await isThere(path.join(home, hash)))) return;
        await sealPackage(made);
        await rename(made, path.join(home, hash));
      });
    },
    async kept() {
      const kept: KeptPackage[] = [];
      for (const folder of await foldersIn(dir)) {
        for (const found of await foldersIn(folder)) {
          if (HASH.test(path.basename(found))) kept.push(await lookAt(found));
          // A folder that cannot be removed must not keep the others from being counted.
          else if (!busy.has(found)) await removeIfThere(found).catch(onProblem);
        }
      }
      return kept;
    },
  };

  async function lookAt(found: string): Promise<KeptPackage> {
    const bytes = measured.get(found) ?? (await packageSize(found).catch(() => 0));
    measured.set(found, bytes);
    return {
      bytes,
      usedAt: (await stat(found).catch(() => undefined))?.mtimeMs ?? 0,
      remove: async () => {
        await evict(found);
        return true;
      },
    };
  }

  async function evict(found: string): Promise<void> {
    measured.delete(found);
    const gone = path.join(path.dirname(found), `${randomUUID()}.gone`);
    busy.add(gone);
    try {
      await removePackage(found, gone);
    } finally {
      busy.delete(gone);
    }
  }

  /** Works in a folder beside the packages, which is removed when the work is over. */
  async function aside(work: (made: string) => Promise<void>): Promise<void> {
    const made = path.join(home, `${randomUUID()}.new`);
    busy.add(made);
    try {
      await work(made);
    } finally {
      await removeIfThere(made);
      busy.delete(made);
    }
  }
}

async function isThere(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => true,
    () => false,
  );
}

async function removeIfThere(folder: string): Promise<void> {
  if (await isThere(folder)) await removeFolder(folder);
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.map((name) => path.join(folder, name));
}
