import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Environment } from './environment.ts';
import { runTool } from './run-tool.ts';

export interface DebianPackage {
  readonly name: string;
  /** The paths of its programs within the package. */
  readonly programs: readonly string[];
  /** Where the programs go. */
  readonly folder: string;
  readonly env: Environment;
}

/** A package has up to 20 MB; the lists of packages may come before it. */
const DOWNLOAD_TIMEOUT_MS = 10 * 60_000;
const UNPACK_TIMEOUT_MS = 120_000;

/** Takes programs out of a package of Debian without installing it. The lists of packages may be missing or old. */
export async function unpackDebianPackage({ name, programs, folder, env }: DebianPackage): Promise<void> {
  const unpacked = path.join(folder, 'unpacked');
  await mkdir(unpacked);
  await extractDebianPackage({ name, folder: unpacked, env });
  for (const program of programs) await rename(path.join(unpacked, program), path.join(folder, path.basename(program)));
  await rm(unpacked, { recursive: true });
}

/** Unpacks a whole package into the folder, as if that were the root of the file system. Several packages may share it. */
export async function extractDebianPackage({ name, folder, env }: Omit<DebianPackage, 'programs'>): Promise<void> {
  const run = (argv: [string, ...string[]], timeoutMs: number) => runTool({ argv, env, timeoutMs });
  const download = () => run(['env', '-C', folder, 'apt-get', 'download', name], DOWNLOAD_TIMEOUT_MS);
  await download().catch(async () => {
    await run(['apt-get', 'update'], DOWNLOAD_TIMEOUT_MS);
    await download();
  });
  const archive = path.join(folder, (await readdir(folder)).find((file) => file.endsWith('.deb')) ?? '');
  await run(['dpkg-deb', '--extract', archive, folder], UNPACK_TIMEOUT_MS);
  await rm(archive);
}
