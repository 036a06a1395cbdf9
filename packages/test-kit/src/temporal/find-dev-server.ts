/**
 * The sources of a Temporal dev server, in this order: `TEMPORAL_CLI`; `temporal` on PATH if its server is recent enough; our cache; the
 * official download of the CLI with its checksum; Go, which builds temporal/dev-server. All have the flags that we use, and the
 * server of temporal/versions.ts or a newer one.
 */
import { TEMPORAL_CLI, TEMPORAL_SERVER } from '@nereid/temporal/versions';
import path from 'node:path';
import { publishedTool } from '../toolchain/cached-tool.ts';
import { toolCache, type Environment } from '../toolchain/environment.ts';
import { findTool, type Attempt, type Way } from '../toolchain/find-tool.ts';
import { probe } from '../toolchain/probe.ts';
import type { Report } from '../toolchain/report.ts';
import { builtDevServer } from './build-dev-server.ts';

export interface DevServerSearch {
  readonly env: Environment;
  readonly report: Report;
  /** Ends the search early, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The address of archives; `{platform}` stands for Go's name of the machine. Default: the vendor's releases. */
  readonly archive?: string;
}

/** Finds or makes it and returns its path, and reports which server it has. Throws `ToolNotFoundError`, which says why each way failed. */
export async function findDevServer(search: DevServerSearch): Promise<string> {
  const { env, report, signal, archive = TEMPORAL_CLI.archive } = search;
  const cli = publishedTool({
    program: 'temporal',
    folder: path.join(toolCache(env), `temporal-cli-${TEMPORAL_CLI.version}`),
    version: `${TEMPORAL_CLI.version} with server ${TEMPORAL_SERVER}`,
    archive,
    sha256: TEMPORAL_CLI.sha256,
    env,
    report,
    signal,
  });
  const built = await builtDevServer({ env, report, signal });
  return findTool({
    tool: 'Temporal dev server',
    ways: [fromVariable(env), fromPath(env), cli.fromCache, built.fromCache, cli.fromDownload, built.fromGo],
    advice: `Install Temporal's CLI (https://docs.temporal.io/cli) and set TEMPORAL_CLI to its path, or install Go and try again.`,
    report,
    signal,
  });
}

function fromVariable(env: Environment): Way {
  return {
    title: 'TEMPORAL_CLI',
    async attempt() {
      const file = env['TEMPORAL_CLI'];
      return file
        ? probeTemporal(path.resolve(file), env)
        : { kind: 'not-found', why: 'it is not set', isAbsent: true };
    },
  };
}

function fromPath(env: Environment): Way {
  return { title: 'PATH', attempt: () => probeTemporal('temporal', env) };
}

/** `temporal version 1.9.1 (Server 1.32.0, …)`. A CLI from `go install` calls itself 0.0.0-DEV; only the server matters. */
function probeTemporal(program: string, env: Environment): Promise<Attempt> {
  return probe({ program, arguments: ['--version'], version: /Server (\d+\.\d+\.\d+)/, oldest: TEMPORAL_SERVER, env });
}
