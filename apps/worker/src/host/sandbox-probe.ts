/** Whether this machine can make sandboxes, found out when the worker starts and not when somebody deploys. */
import { realpath } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ConfigurationError, type LocatedProblem, type ServerConfig } from '@nereid/config';
import { whyNoSandbox } from '@nereid/subprocess';
import type { Logger } from 'pino';
import type { WorkerConfig } from '../platform/config/config.ts';
import { BubblewrapMissingError, givenFiles, sandboxWith, type SandboxSettings } from './job/sandbox.ts';
import type { HostContext } from './job/tools.ts';

export interface SandboxProbe extends Pick<HostContext, 'environment'> {
  readonly server: { current(): Pick<ServerConfig, 'terraform' | 'storage' | 'audit'> };
  readonly logger: Pick<Logger, 'warn'>;
  readonly config: Pick<WorkerConfig, 'dataDir' | 'workDir' | 'secretFiles'>;
}

/**
 * Runs a command in a sandbox that has all that every job's sandbox has. Throws a ConfigurationError when that fails; logs a
 * warning when the server's file wants no sandbox.
 */
export async function probeSandbox({ server, environment, logger, config }: SandboxProbe): Promise<void> {
  const { terraform } = server.current();
  if (terraform.sandbox === 'none') logger.warn(NO_SANDBOX);
  else {
    const problems = await sandboxProblems({ server, environment, config });
    if (problems.length > 0) throw new ConfigurationError(problems);
  }
}

export const NO_SANDBOX =
  'terraform.sandbox is "none": code of every repository can read all that this worker can read';

/** Why no job would get its sandbox. */
export async function sandboxProblems({
  server,
  environment,
  config,
}: Omit<SandboxProbe, 'logger'>): Promise<readonly LocatedProblem[]> {
  const { terraform } = server.current();
  const ownPaths = [config.dataDir, config.workDir, ...config.secretFiles, ...storageFolders(server.current())];
  const problems = await whatIsWrong(terraform, ownPaths);
  if (problems.length > 0) return problems;
  const why = await whyNone(terraform, environment['PATH']);
  if (why === undefined) return [];
  const message = `expected that this machine can make sandboxes, found: ${why}; see apps/docs/concepts/sandbox.md, or write "sandbox: none" if code of all repositories may read all that the worker can read`;
  return [{ path: 'terraform.sandbox', message }];
}

/** What is given to every command must exist, and must not hold, or be part of, what no command may see. */
async function whatIsWrong(settings: SandboxSettings, ownPaths: readonly string[]): Promise<readonly LocatedProblem[]> {
  const own = await Promise.all(ownPaths.map(async (path) => (await realPathOf(path)) ?? path));
  const problems = givenFiles(settings).map(async ({ path, at = path, access }) => {
    const real = await realPathOf(path);
    const clash = own.find((mine) => isWithin(mine, real ?? path) || isWithin(real ?? path, mine));
    if (real !== undefined && clash === undefined) return [];
    const message =
      real === undefined
        ? `expected a file or folder of this machine, found nothing at ${at}; make it, or remove the entry`
        : `expected a path apart from the worker's own ${clash}, found ${at}; choose another`;
    return [{ path: `terraform.sandbox_${access}`, message }];
  });
  return (await Promise.all(problems)).flat();
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`);
}

/** Undefined when there is nothing. */
async function realPathOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

/** Of storage and the audit trail on this machine, and what the trail is sent with. */
function storageFolders({ storage, audit }: Pick<ServerConfig, 'storage' | 'audit'>): readonly string[] {
  const urls = [storage.deployments, storage.plans, storage.logs, ...audit.to.map(({ to }) => to)];
  return [
    ...urls.flatMap((url) => (url.startsWith('file:') ? [fileURLToPath(url)] : [])),
    ...audit.to.flatMap(({ secretFile }) => secretFile ?? []),
  ];
}

async function whyNone(settings: SandboxSettings, searchPath: string | undefined): Promise<string | undefined> {
  try {
    return await whyNoSandbox(sandboxWith(settings, searchPath, givenFiles(settings)));
  } catch (error) {
    if (error instanceof BubblewrapMissingError) return error.message;
    throw error;
  }
}
