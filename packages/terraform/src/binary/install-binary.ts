import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { hasErrorCode } from '@nereid/subprocess';
import { unzip, type AsyncUnzipOptions, type Unzipped } from 'fflate';
import { z } from 'zod';
import type { Release, Source } from './sources.ts';
import { download } from './download.ts';
import { readVendorKey, type VendorKeys } from './vendor-keys.ts';
import { ChecksumMismatchError, DownloadFailedError, type Distribution } from '../errors.ts';

/** HashiCorp's index of all Terraform versions and files is 3 MB. */
const INDEX_LIMIT_BYTES = 32 * 1024 * 1024;

/** A line of 100 bytes for each of some twenty platforms. */
const SUMS_LIMIT_BYTES = 1024 * 1024;

/** HashiCorp's and OpenTofu's have 600 bytes. */
const SIGNATURE_LIMIT_BYTES = 64 * 1024;

/** Terraform's zip is 30 MB, its binary 90 MB; both have doubled in five years. */
const ZIP_LIMIT_BYTES = 256 * 1024 * 1024;
const BINARY_LIMIT_BYTES = 512 * 1024 * 1024;

const Index = z.union([
  z
    .object({ versions: z.array(z.object({ id: z.string() })) })
    .transform(({ versions }) => versions.map(({ id }) => id)),
  z.object({ versions: z.record(z.string(), z.unknown()) }).transform(({ versions }) => Object.keys(versions)),
]);

/** All versions that the source publishes. */
export async function publishedVersions(source: Source): Promise<readonly string[]> {
  const body = await download(source.indexUrl, INDEX_LIMIT_BYTES);
  try {
    return Index.parse(JSON.parse(body?.toString() ?? 'null'));
  } catch (error) {
    throw new DownloadFailedError(source.indexUrl, 'no index of versions', undefined, { cause: error });
  }
}

export interface InstallOptions {
  readonly distribution: Distribution;
  readonly version: string;
  readonly source: Source;
  /** Where to put the binary; its folder appears whole or not at all. */
  readonly target: string;
  /** Default: the vendors' own. */
  readonly vendorKeys: VendorKeys | undefined;
}

/** Downloads, checks and installs one version. False when it is not published for this platform. */
export async function installBinary(options: InstallOptions): Promise<boolean> {
  const { distribution, version, source, target, vendorKeys } = options;
  const release = source.release(version);
  const sums = await download(release.sumsUrl, SUMS_LIMIT_BYTES);
  if (sums === undefined) return false;
  await verifySigned(release, sums, vendorKeys?.[distribution] ?? (await readVendorKey(distribution)));
  const expected = sumOf(sums.toString(), release.zipName);
  if (expected === undefined) return false;
  const zip = await download(release.zipUrl, ZIP_LIMIT_BYTES);
  if (zip === undefined) return false;
  const found = createHash('sha256').update(zip).digest('hex');
  if (found !== expected) throw new ChecksumMismatchError(release.zipUrl, expected, found);
  await install(await extract(zip, distribution, release.zipUrl), target);
  return true;
}

/** OpenPGP takes 22 MB and 60 ms to load, so only a process that downloads loads it. */
async function verifySigned(release: Release, sums: Buffer, armoredKey: string): Promise<void> {
  const { verifySums } = await import('./verify-sums.ts');
  const signature = await firstOf(release.signatureUrls);
  const names = release.signatureUrls.map((url) => path.posix.basename(url)).join(' or ');
  const whenMissing = `put ${names} of the vendor beside it`;
  await verifySums({ url: release.sumsUrl, sums, signature, armoredKey, whenMissing });
}

async function firstOf(urls: readonly string[]): Promise<Buffer | undefined> {
  for (const url of urls) {
    const found = await download(url, SIGNATURE_LIMIT_BYTES);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Lines of `<sum>  <file>`, as sha256sum writes them. */
function sumOf(sums: string, file: string): string | undefined {
  const lines = sums.split('\n').map((line) => line.trim().split(/\s+/));
  return lines.find(([sum, name]) => name === file && /^[0-9a-f]{64}$/.test(sum ?? ''))?.[0];
}

const unzipped = promisify<Uint8Array, AsyncUnzipOptions, Unzipped>(unzip);

async function extract(zip: Buffer, name: string, url: string): Promise<Uint8Array> {
  const filter = (file: { name: string; originalSize: number }) =>
    file.name === name && file.originalSize <= BINARY_LIMIT_BYTES;
  const binary = (await unzipped(zip, { filter }))[name];
  if (binary === undefined)
    throw new DownloadFailedError(url, `no file ${name} of at most ${BINARY_LIMIT_BYTES} bytes in it`);
  return binary;
}

/** Renames a complete folder into place. If another process was faster, its binary is the same one. */
async function install(binary: Uint8Array, target: string): Promise<void> {
  const folder = path.dirname(target);
  await mkdir(path.dirname(folder), { recursive: true });
  const temporary = await mkdtemp(`${folder}.new-`);
  try {
    const file = path.join(temporary, path.basename(target));
    await writeFile(file, binary, { flush: true });
    await chmod(file, 0o755);
    await rename(temporary, folder);
  } catch (error) {
    if (!hasErrorCode(error, 'ENOTEMPTY') && !hasErrorCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
