/**
 * The sources of PostgreSQL, in this order: PATH; Debian's installed package, whose programs are not on PATH; our cache; Debian's package,
 * unpacked into the cache and not installed. Its libraries, such as those of LDAP, must be there, but for its own.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { findProgram } from '@nereid/subprocess';
import { extractDebianPackage } from '../../toolchain/debian-package.ts';
import { definedOnly, toolCache, type Environment } from '../../toolchain/environment.ts';
import { InstallError } from '../../toolchain/errors.ts';
import { findTool, type Attempt, type Way } from '../../toolchain/find-tool.ts';
import { exists, installOnce } from '../../toolchain/install-once.ts';
import { probe } from '../../toolchain/probe.ts';
import { withElapsed, type Report } from '../../toolchain/report.ts';
import { runTool } from '../../toolchain/run-tool.ts';

export interface PostgresPrograms {
  /** The paths of the programs. */
  readonly postgres: string;
  readonly initdb: string;
  /** Where they find their own libraries; undefined where those are installed. */
  readonly libraries: string | undefined;
}

export interface PostgresSearch {
  readonly env: Environment;
  readonly report: Report;
  /** Default: where Debian installs each of its versions. */
  readonly installed?: string;
}

/** The schema of the Temporal server needs it. */
const OLDEST = '12.0';
const INSTALLED = '/usr/lib/postgresql';
const ASK_TIMEOUT_MS = 30_000;

/** Throws `ToolNotFoundError`, which says why each way failed. */
export async function findPostgres({ env, report, installed = INSTALLED }: PostgresSearch): Promise<PostgresPrograms> {
  const folder = path.join(toolCache(env), 'postgresql-debian');
  const postgres = await findTool({
    tool: 'PostgreSQL',
    ways: [fromPath(env), fromInstalled(installed, env), fromCache(folder, env), fromDebian(folder, env, report)],
    advice: `Put postgres and initdb ${OLDEST} or newer on PATH, or install Debian's package postgresql.`,
    report,
  });
  const libraries = postgres.startsWith(folder) ? await librariesIn(folder) : undefined;
  return { postgres, initdb: path.join(path.dirname(postgres), 'initdb'), libraries };
}

function fromPath(env: Environment): Way {
  return {
    title: 'PATH',
    attempt: async () => {
      // Debian's package may leave the one without the other there.
      const initdb = findProgram({ argv: ['initdb'], env: definedOnly(env), cwd: process.cwd() });
      if (initdb.kind === 'not-startable') return { kind: 'not-found', why: initdb.why, isAbsent: true };
      return probePostgres(path.join(path.dirname(initdb.program), 'postgres'), env);
    },
  };
}

function fromInstalled(installed: string, env: Environment): Way {
  return { title: installed, attempt: () => newestBelow(installed, env) };
}

function fromCache(folder: string, env: Environment): Way {
  return { title: 'the cache', attempt: () => lookUp(folder, env) };
}

function fromDebian(folder: string, env: Environment, report: Report): Way {
  return {
    title: "Debian's package",
    async attempt() {
      await withElapsed(report, 'fetching PostgreSQL', () =>
        installOnce({ folder, report, install: (staging) => unpack(staging, env) }),
      );
      return lookUp(folder, env);
    },
  };
}

/** The package `postgresql` is empty, and needs that of the version. */
async function unpack(folder: string, env: Environment): Promise<void> {
  const needed = await runTool({ argv: ['apt-cache', 'depends', 'postgresql'], env, timeoutMs: ASK_TIMEOUT_MS });
  const server = /postgresql-\d+/.exec(needed)?.[0];
  if (server === undefined)
    throw new InstallError(`expected Debian to name a version of PostgreSQL, found ${needed || 'nothing'}`);
  for (const name of [server, 'libpq5']) await extractDebianPackage({ name, folder, env });
}

async function lookUp(folder: string, env: Environment): Promise<Attempt> {
  const libraries = (await exists(folder)) ? await librariesIn(folder) : '';
  return newestBelow(path.join(folder, INSTALLED), { ...env, LD_LIBRARY_PATH: libraries });
}

/** `usr/lib/x86_64-linux-gnu`. */
async function librariesIn(folder: string): Promise<string> {
  const [platform = ''] = (await readdir(path.join(folder, 'usr/lib'))).filter((name) => name.includes('-linux-'));
  return path.join(folder, 'usr/lib', platform);
}

/** A folder has a folder for each version. */
async function newestBelow(folder: string, env: Environment): Promise<Attempt> {
  const versions = await readdir(folder).catch(() => []);
  const newest = versions.toSorted((one, other) => Number(other) - Number(one))[0];
  if (newest === undefined) return { kind: 'not-found', why: `nothing in ${folder}`, isAbsent: true };
  return probePostgres(path.join(folder, newest, 'bin/postgres'), env);
}

function probePostgres(program: string, env: Environment): Promise<Attempt> {
  return probe({ program, arguments: ['--version'], version: /(\d+\.\d+)/, oldest: OLDEST, env });
}
