import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { toolCache, type Environment } from './environment.ts';
import { InstallError } from './errors.ts';
import { exists, installOnce } from './install-once.ts';
import { withElapsed, type Report } from './report.ts';
import { runTool } from './run-tool.ts';

export interface PythonPackages {
  /** The purpose of the packages. Names the folder in the cache, and appears in the progress. */
  readonly name: string;
  /** A requirements file for pip, with everything pinned. */
  readonly requirements: string;
  readonly env: Environment;
  readonly report: Report;
  /** Ends the installation early, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Sixty packages take half a minute on two cores; a slow line may take twenty times that. */
const INSTALL_TIMEOUT_MS = 10 * 60_000;
const VERSION_TIMEOUT_MS = 30_000;

/** Returns the `bin` folder of a virtual environment in the cache that has these packages. Throws `InstallError`. */
export async function findPythonPackages(packages: PythonPackages): Promise<string> {
  const { name, requirements, env, report, signal } = packages;
  const version = await pythonVersion(name, env);
  const folder = path.join(toolCache(env), `${name}-${await digestOf(requirements)}-python-${version}`);
  if (!(await exists(folder))) {
    await withElapsed(report, `installing ${name} with pip`, () =>
      installOnce({ folder, report, signal, install: (staging) => installPackages(staging, packages) }),
    );
  }
  return path.join(folder, 'bin');
}

async function pythonVersion(name: string, env: Environment): Promise<string> {
  const argv = ['python3', '-c', 'import sys; print("%d.%d" % sys.version_info[:2])'] as const;
  try {
    return (await runTool({ argv, env, timeoutMs: VERSION_TIMEOUT_MS })).trim();
  } catch (error) {
    throw new InstallError(
      `Python 3, which runs ${name}, was not found; install python3 with venv and pip and try again`,
      { cause: error },
    );
  }
}

/** A virtual environment may be moved as long as its Python scripts are not used; `python -m` runs them instead. */
async function installPackages(folder: string, { requirements, env, signal }: PythonPackages): Promise<void> {
  const run = (...argv: [string, ...string[]]) => runTool({ argv, env, timeoutMs: INSTALL_TIMEOUT_MS, signal });
  await run('python3', '-m', 'venv', folder);
  const python = path.join(folder, 'bin', 'python');
  const quietly = ['--quiet', '--disable-pip-version-check', '--no-input'] as const;
  await run(python, '-m', 'pip', 'install', ...quietly, '--requirement', requirements);
}

/** Other pins get another folder. Twelve digits tell the few versions of one file apart. */
async function digestOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
    .slice(0, 12);
}
