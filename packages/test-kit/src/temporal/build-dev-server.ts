/** Our own Temporal dev server, temporal/dev-server, as Go builds it in a module of its own. */
import { GO_OF_TEMPORAL, TEMPORAL_SERVER, TEMPORAL_UI } from '@nereid/temporal/versions';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { toolCache, type Environment } from '../toolchain/environment.ts';
import type { Attempt, Way } from '../toolchain/find-tool.ts';
import { whyNoGo } from '../toolchain/go-install.ts';
import { exists, installOnce } from '../toolchain/install-once.ts';
import { withElapsed, type Report } from '../toolchain/report.ts';
import { runTool } from '../toolchain/run-tool.ts';

export interface DevServerBuild {
  readonly env: Environment;
  readonly report: Report;
  /** Ends the build early, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Four minutes on two cores, with the download of 200 modules; a slow line and a single core may take eight times that. */
const BUILD_TIMEOUT_MS = 30 * 60_000;

const FOLDER = path.resolve(import.meta.dirname, '../../../../temporal/dev-server');

const SOURCES = ['main.go', 'server.go'] as const;

/**
 * What else Go needs to know: it finds the versions of all other modules in these two. Without its own version, it would ask for
 * modules of modules that nobody uses, some of which the proxy does not have.
 */
const MODULE = `module dev-server

go ${GO_OF_TEMPORAL}

require (
	github.com/temporalio/ui-server/v2 v${TEMPORAL_UI}
	go.temporal.io/server v${TEMPORAL_SERVER}
)
`;

/** Kept by what it is made of, so that a change of the sources or of a version builds it again. */
export async function builtDevServer(build: DevServerBuild): Promise<{ fromCache: Way; fromGo: Way }> {
  const sources: Readonly<Record<string, string>> = {
    'go.mod': MODULE,
    ...Object.fromEntries(await Promise.all(SOURCES.map(async (name) => [name, await readSource(name)] as const))),
  };
  const hash = createHash('sha256').update(JSON.stringify(sources)).digest('hex').slice(0, 12);
  const folder = path.join(toolCache(build.env), `temporal-dev-server-${TEMPORAL_SERVER}-${hash}`);
  return {
    fromCache: { title: 'the cache of what Go built', attempt: () => lookUp(folder) },
    fromGo: { title: 'a build with Go', attempt: () => makeWithGo(folder, sources, build) },
  };
}

const readSource = (name: string) => readFile(path.join(FOLDER, name), 'utf8');

async function lookUp(folder: string): Promise<Attempt> {
  const file = path.join(folder, 'temporal');
  if (await exists(file)) return { kind: 'found', path: file, what: `server ${TEMPORAL_SERVER}, built with Go` };
  return { kind: 'not-found', why: `nothing at ${file}`, isAbsent: true };
}

async function makeWithGo(
  folder: string,
  sources: Readonly<Record<string, string>>,
  { env, report, signal }: DevServerBuild,
): Promise<Attempt> {
  const noGo = await whyNoGo(env);
  if (noGo !== undefined) return { kind: 'not-found', why: noGo };
  const title = `building the Temporal dev server ${TEMPORAL_SERVER} with Go, which takes minutes the first time`;
  await withElapsed(report, title, () =>
    installOnce({ folder, report, signal, install: (staging) => compile(staging, sources, { env, signal }) }),
  );
  return lookUp(folder);
}

async function compile(
  staging: string,
  sources: Readonly<Record<string, string>>,
  { env, signal }: Pick<DevServerBuild, 'env' | 'signal'>,
): Promise<void> {
  const source = path.join(staging, 'source');
  await mkdir(source);
  for (const [name, text] of Object.entries(sources)) await writeFile(path.join(source, name), text);
  const output = path.join(staging, 'temporal');
  const options = ['-mod=mod', '-trimpath', '-ldflags=-s -w', '-o', output] as const;
  await runTool({
    argv: ['go', '-C', source, 'build', ...options, '.'],
    env,
    timeoutMs: BUILD_TIMEOUT_MS,
    signal,
  });
  await rm(source, { recursive: true });
}
