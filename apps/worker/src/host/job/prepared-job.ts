/** The preparation that plan and apply have in common: the binary, the environment, the paths. */
import { join } from 'node:path';
import type { HostJob } from '@nereid/contracts';
import { gitCredentialsEnvironment, type Authorization } from '@nereid/git';
import { gitAuthorization } from '@nereid/github';
import {
  allowedVariables,
  readRequiredVersion,
  terraformEnvironment,
  type FoundBinary,
  type JobOptions,
} from '@nereid/terraform';
import { sandboxOfJob } from './sandbox.ts';
import { secretsOfEnvironment } from './secrets.ts';
import type { ReadingJob } from '../../tokens/read-tokens.ts';
import type { HostTools } from './tools.ts';
import type { Workspace } from './workspace.ts';

export interface PreparedJob {
  readonly options: Omit<JobOptions, 'log' | 'hide' | 'hideInStream' | 'onEnvValue' | 'onStep' | 'signal'>;
  /** Values of its environment that must not appear in its log. */
  readonly secrets: readonly string[];
  readonly terraformVersion: string;
}

/** For the check-out. Gets the token first, because a fetch that waits for one cannot be stopped. */
export async function authorizationFor(
  { context: { readTokens } }: Pick<HostTools, 'context'>,
  job: ReadingJob,
  signal: AbortSignal,
): Promise<Authorization> {
  await readTokens.tokenFor(job, signal);
  return async () => gitAuthorization(await readTokens.tokenFor(job));
}

export async function prepareJob(tools: HostTools, job: ReadingJob, workspace: Workspace): Promise<PreparedJob> {
  const { context } = tools;
  const binary = await binaryFor(tools, job, workspace);
  const token = await context.readTokens.tokenFor(job);
  const authorization = gitAuthorization(token);
  const home = join(workspace.folder, 'home');
  const sandbox = await sandboxOfJob(tools, { workspace, binary: binary.path, home, network: job.root.network });
  // A sandbox has a folder of its own for temporary files.
  const from = { ...context.environment, ...(sandbox && { TMPDIR: '/tmp' }) };
  const { envAllow, envAllowPreview } = context.server.current().terraform;
  const allow = job.order.preview ? envAllowPreview : envAllow;
  const env = terraformEnvironment({ from, allow, home, workspace: job.root.workspace });
  const options = {
    binary: binary.path,
    treeDir: workspace.treeDir,
    root: job.root,
    repository: job.repository,
    commit: job.revision.sha,
    folder: workspace.jobFolder,
    planFile: workspace.planFile,
    env,
    initEnv: gitCredentialsEnvironment(context.config.github.url, authorization),
    sandbox,
    providers: { cache: context.providers, folder: join(workspace.folder, 'providers') },
  };
  const secrets = [token, authorization.replace(/^Basic /, ''), ...secretsOfEnvironment(allowedVariables(from, allow))];
  return { options, secrets, terraformVersion: binary.version };
}

async function binaryFor({ findBinary }: HostTools, { root }: HostJob, { rootDir }: Workspace): Promise<FoundBinary> {
  const requiredVersion = await readRequiredVersion(rootDir);
  return findBinary({
    distribution: root.distribution,
    ...(root.terraformVersion !== undefined && { version: root.terraformVersion }),
    ...(requiredVersion !== undefined && { requiredVersion }),
  });
}
