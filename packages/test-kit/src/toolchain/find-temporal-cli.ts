/**
 * The sources of the Temporal CLI, in this order: `TEMPORAL_CLI`; `temporal` on PATH if recent enough; our cache; the
 * official download with its checksum; `go install`. The pinned version is in temporal/cli.ts.
 */
import { TEMPORAL_CLI as PIN } from '@nereid/temporal/cli';
import path from 'node:path';
import { cachedTool, type CachedTool } from './cached-tool.ts';
import { toolCache, type Environment } from './environment.ts';
import { findTool, type Attempt, type Way } from './find-tool.ts';
import { probe } from './probe.ts';
import type { Report } from './report.ts';

export interface TemporalCliSearch {
  readonly env: Environment;
  readonly report: Report;
  /** Ends the search early, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The address of archives; `{platform}` stands for Go's name of the machine. Default: the vendor's releases. */
  readonly archive?: string;
}

/** Finds or installs the Temporal CLI and returns its path. Throws `ToolNotFoundError`, which says why each way failed. */
export async function findTemporalCli(search: TemporalCliSearch): Promise<string> {
  const { env, report, signal, archive = PIN.archive } = search;
  const tool: CachedTool = {
    program: 'temporal',
    folder: path.join(toolCache(env), `temporal-cli-${PIN.version}`),
    version: PIN.version,
    module: PIN.module,
    archive,
    sha256: PIN.sha256,
    env,
    report,
    signal,
  };
  const cached = cachedTool(tool);
  return findTool({
    tool: 'Temporal CLI',
    ways: [fromVariable(env), fromPath(env), cached.fromCache, cached.fromDownload, cached.fromGo],
    advice: `Install it (https://docs.temporal.io/cli) and set TEMPORAL_CLI to its path, or install Go and try again.`,
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

/** `temporal version 1.5.1 (Server 1.29.1, …)`. A CLI from `go install` calls itself 0.0.0-DEV; only the server matters. */
function probeTemporal(program: string, env: Environment): Promise<Attempt> {
  return probe({ program, arguments: ['--version'], version: /Server (\d+\.\d+\.\d+)/, oldest: PIN.oldestServer, env });
}
