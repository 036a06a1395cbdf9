/**
 * Finds the binary for a root: in PATH, then in the cache, then among the published ones if downloads are on.
 *
 * A root needs its exact version; else any version that satisfies `required_version`; else the server's default; else any
 * version. Each place offers its newest suitable version, and a later place is searched only when the earlier ones have none.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { findProgram, hasErrorCode } from '@nereid/subprocess';
import semver from 'semver';
import { platform, sourceOf } from './sources.ts';
import { createVersionOf, type VersionOf } from './version.ts';
import { newest, parseConstraint, satisfies, type Constraint } from './constraint.ts';
import { BinaryMissingError, VersionUnavailableError, type Distribution } from '../errors.ts';
import { installBinary, publishedVersions } from './install-binary.ts';
import type { VendorKeys } from './vendor-keys.ts';

export interface BinaryFinderOptions {
  /** The worker's PATH. */
  readonly path: string;
  /** Holds downloaded binaries as `<distribution>/<platform>/<version>/<distribution>`. */
  readonly cacheDir: string;
  /** False: nothing is fetched. Without a mirror, binaries come from their vendor; either way its key must have signed them. */
  readonly downloads: false | { readonly mirrorUrl?: string; readonly vendorKeys?: VendorKeys };
  /** The server's version, for roots that ask for none. */
  readonly defaultVersion?: string;
}

export interface WantedBinary {
  readonly distribution: Distribution;
  /** An exact version. Hostile. */
  readonly version?: string;
  /** The result of `readRequiredVersion`. Hostile; an unreadable one counts as none, and Terraform says why. */
  readonly requiredVersion?: string;
}

export interface FoundBinary {
  /** Absolute. */
  readonly path: string;
  readonly version: string;
}

/**
 * Throws `BinaryMissingError`, `VersionUnavailableError`, `SumsNotSignedError`, `ChecksumMismatchError`, `DownloadFailedError`.
 * A warm call starts no process and sends no request.
 */
export type FindBinary = (wanted: WantedBinary) => Promise<FoundBinary>;

/** Without a `constraint`, any version will do. */
interface Search extends BinaryFinderOptions {
  readonly distribution: Distribution;
  readonly constraint: Constraint | undefined;
  /** The constraint in words. */
  readonly wanted: string;
  readonly versionOf: VersionOf;
}

export function createBinaryFinder(options: BinaryFinderOptions): FindBinary {
  const versionOf = createVersionOf();
  const downloading = new Map<string, Promise<FoundBinary>>();

  return async (wanted) => {
    const search = { ...options, ...whatIsWanted(wanted, options), versionOf };
    const inPath = await findInPath(search);
    if (inPath && suits(inPath.version, search)) return inPath;
    const cached = await cachedVersions(search);
    const version = newestSuiting(cached, search);
    if (version !== undefined) return { path: cachePath(search, version), version };
    if (options.downloads === false) throw unavailable(search, inPath ? [inPath.version, ...cached] : cached);

    // Roots that want the same version at the same time share one download.
    const key = `${search.distribution} ${search.wanted}`;
    const shared = downloading.get(key) ?? fetchBinary(search).finally(() => downloading.delete(key));
    downloading.set(key, shared);
    return shared;
  };
}

function whatIsWanted(
  { distribution, version, requiredVersion }: WantedBinary,
  { defaultVersion }: BinaryFinderOptions,
): Pick<Search, 'distribution' | 'constraint' | 'wanted'> {
  if (version !== undefined) return { distribution, constraint: exactly(distribution, version), wanted: version };
  const required = requiredVersion === undefined ? undefined : parseConstraint(requiredVersion);
  if (required) return { distribution, constraint: required, wanted: requiredVersion ?? '' };
  if (defaultVersion === undefined) return { distribution, constraint: undefined, wanted: 'any version' };
  return { distribution, constraint: exactly(distribution, defaultVersion), wanted: defaultVersion };
}

/** A version becomes part of paths and URLs, so it must be nothing but a version. */
function exactly(distribution: Distribution, version: string): Constraint {
  const constraint = semver.valid(version) === version ? parseConstraint(`= ${version}`) : undefined;
  if (constraint) return constraint;
  throw new VersionUnavailableError(distribution, version.slice(0, 100), [], 'write a full version such as 1.11.4');
}

function suits(version: string, { constraint }: Search): boolean {
  return constraint === undefined || satisfies(version, constraint);
}

function newestSuiting(versions: readonly string[], { constraint }: Search): string | undefined {
  // `>= 0` leaves out pre-releases, which a root must ask for.
  return newest(versions, constraint ?? parseConstraint('>= 0') ?? []);
}

async function findInPath({ distribution, path: searchPath, versionOf }: Search): Promise<FoundBinary | undefined> {
  const found = findProgram({ argv: [distribution], env: { PATH: searchPath }, cwd: '/' });
  if (found.kind === 'not-startable') return undefined;
  const version = await versionOf(found.program);
  return version === undefined ? undefined : { path: found.program, version };
}

async function cachedVersions({ cacheDir, distribution }: Search): Promise<readonly string[]> {
  try {
    const versions = await readdir(path.join(cacheDir, distribution, platform()));
    return versions.filter((version) => semver.valid(version) === version);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}

function cachePath({ cacheDir, distribution }: Search, version: string): string {
  return path.join(cacheDir, distribution, platform(), version, distribution);
}

async function fetchBinary(search: Search): Promise<FoundBinary> {
  const { distribution, downloads } = search;
  const { mirrorUrl, vendorKeys } = downloads === false ? {} : downloads;
  const source = sourceOf(distribution, mirrorUrl);
  const version = exactVersionOf(search) ?? newestSuiting(await publishedVersions(source), search);
  const target = cachePath(search, version ?? '');
  if (version === undefined || !(await installBinary({ distribution, version, source, target, vendorKeys }))) {
    const toDo = `choose a version that is published for ${platform()} at ${new URL(source.indexUrl).origin}`;
    throw new VersionUnavailableError(distribution, search.wanted, [], toDo);
  }
  return { path: target, version };
}

/** An exact version needs no index. */
function exactVersionOf({ constraint }: Search): string | undefined {
  const [part, ...others] = constraint ?? [];
  return part?.operator === '=' && others.length === 0 ? part.version.version : undefined;
}

function unavailable(search: Search, found: readonly string[]): Error {
  if (found.length === 0) return new BinaryMissingError(search.distribution, search.wanted);
  const toDo = `install that version on the worker, turn terraform.downloads on, or ask for one that is there`;
  return new VersionUnavailableError(search.distribution, search.wanted, found, toDo);
}
