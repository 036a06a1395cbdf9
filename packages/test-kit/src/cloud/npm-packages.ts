import { createHash } from 'node:crypto';
import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { toolCache, type Environment } from '../toolchain/environment.ts';
import { exists, installOnce } from '../toolchain/install-once.ts';
import { withElapsed, type Report } from '../toolchain/report.ts';
import { runTool } from '../toolchain/run-tool.ts';

export interface NpmPackages {
  /** The purpose of the packages. Names the folder in the cache, and appears in the progress. */
  readonly name: string;
  /** A folder with package.json and package-lock.json. */
  readonly manifest: string;
  readonly env: Environment;
  readonly report: Report;
  /** Ends the installation early, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Three hundred packages take a minute on two cores; a slow line may take ten times that. */
const INSTALL_TIMEOUT_MS = 10 * 60_000;

const LOCK = 'package-lock.json';

/** Returns a `node_modules` in the cache that has these packages, and nobody else's. Throws `InstallError`. */
export async function findNpmPackages(packages: NpmPackages): Promise<string> {
  const { name, manifest, env, report, signal } = packages;
  const folder = path.join(toolCache(env), `${name}-${await digestOf(path.join(manifest, LOCK))}`);
  if (!(await exists(folder))) {
    await withElapsed(report, `installing ${name} with npm`, () =>
      installOnce({ folder, report, signal, install: (staging) => installPackages(staging, packages) }),
    );
  }
  return path.join(folder, 'node_modules');
}

async function installPackages(folder: string, { manifest, env, signal }: NpmPackages): Promise<void> {
  for (const file of ['package.json', LOCK]) await copyFile(path.join(manifest, file), path.join(folder, file));
  const argv = [
    'npm',
    'ci',
    '--prefix',
    folder,
    '--ignore-scripts',
    '--omit=optional',
    '--no-audit',
    '--no-fund',
  ] as const;
  await runTool({ argv, env, timeoutMs: INSTALL_TIMEOUT_MS, signal });
}

/** Other pins get another folder. Twelve digits tell the few versions of one file apart. */
async function digestOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
    .slice(0, 12);
}
