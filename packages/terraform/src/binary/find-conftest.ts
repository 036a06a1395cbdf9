/** Finds conftest: in PATH, then in the cache, then at its vendor if downloads are on. */
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findProgram, hasErrorCode, runCommand } from '@nereid/subprocess';
import { download } from './download.ts';
import { platform } from './sources.ts';
import { ChecksumMismatchError, ConftestMissingError, DownloadFailedError } from '../errors.ts';
import { CONFTEST } from './conftest-pin.ts';

export interface ConftestFinderOptions {
  /** The worker's PATH. */
  readonly path: string;
  /** Holds a downloaded conftest as `<version>/conftest`. */
  readonly cacheDir: string;
  /** False: nothing is fetched. */
  readonly downloads: boolean;
  /** Default: conftest's own release. */
  readonly release?: { readonly url: string; readonly sha256: string };
}

/** Returns the program's path. Throws `ConftestMissingError`, `ChecksumMismatchError` or `DownloadFailedError`. */
export type FindConftest = () => Promise<string>;

/** The release has 30 MB, and unpacks to 100 MB within seconds. */
const ARCHIVE_LIMIT_BYTES = 256 * 1024 * 1024;
const UNPACK_TIMEOUT_MS = 120_000;

export function createConftestFinder(options: ConftestFinderOptions): FindConftest {
  let downloading: Promise<string> | undefined;
  return async () => {
    const cached = path.join(options.cacheDir, CONFTEST.version, 'conftest');
    const found = programIn(options.path, 'conftest') ?? programIn('', cached);
    if (found !== undefined) return found;
    // Plans that need it at the same time share one download. One that failed is tried again.
    downloading ??= install(options, cached).finally(() => (downloading = undefined));
    return downloading;
  };
}

function programIn(searchPath: string, program: string): string | undefined {
  const found = findProgram({ argv: [program], env: { PATH: searchPath }, cwd: '/' });
  return found.kind === 'startable' ? found.program : undefined;
}

async function install({ downloads, release = pinned() }: ConftestFinderOptions, target: string): Promise<string> {
  if (!downloads) throw new ConftestMissingError('downloads are off');
  if (release === undefined) throw new ConftestMissingError(`no sum of a release for ${platform()} is known here`);
  const { url, sha256 } = release;
  const archive = await download(url, ARCHIVE_LIMIT_BYTES);
  if (archive === undefined) throw new DownloadFailedError(url, 'nothing', 404);
  const found = createHash('sha256').update(archive).digest('hex');
  if (found !== sha256) throw new ChecksumMismatchError(url, sha256, found);
  await unpack(archive, url, path.dirname(target));
  return target;
}

function pinned(): ConftestFinderOptions['release'] {
  const sums: Readonly<Record<string, string>> = CONFTEST.sha256;
  const sha256 = sums[platform()];
  return sha256 === undefined ? undefined : { url: CONFTEST.archive, sha256 };
}

/** Renames a complete folder into place. If another process was faster, its program is the same one. */
async function unpack(archive: Buffer, url: string, folder: string): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true });
  const temporary = await mkdtemp(`${folder}.new-`);
  try {
    const file = path.join(temporary, 'archive.tar.gz');
    await writeFile(file, archive);
    const result = await runCommand({
      argv: ['tar', '-xzf', file, '-C', temporary, 'conftest'],
      env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      cwd: '/',
      timeoutMs: UNPACK_TIMEOUT_MS,
    });
    if (result.kind !== 'exited' || result.exitCode !== 0)
      throw new DownloadFailedError(url, 'an archive without conftest in it');
    await chmod(path.join(temporary, 'conftest'), 0o755);
    await rm(file);
    await rename(temporary, folder);
  } catch (error) {
    if (!hasErrorCode(error, 'ENOTEMPTY') && !hasErrorCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
