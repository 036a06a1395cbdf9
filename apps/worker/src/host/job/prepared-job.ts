/** The preparation that plan and apply have in common: the binary, the environment, the paths. */
import { join } from 'node:path';
import { defined } from '@nereid/domain/defined';
import { gitCredentialsEnvironment, type Authorization } from '@nereid/git';
import { gitAuthorization } from '@nereid/github';
import { removeTree } from '@nereid/subprocess';
import {
  allowedVariables,
  locateRoot,
  readRequiredVersion,
  terraformEnvironment,
  type FoundBinary,
  type JobOptions,
} from '@nereid/terraform';
import { sandboxOfJob } from './sandbox.ts';
import { isOfUnmergedCode, phaseOfJob } from './identity/given-identity.ts';
import { closeIdentity, openIdentity, type JobIdentity } from './identity/job-identity.ts';
import { secretsOfEnvironment } from './secrets.ts';
import { traceEnvironment } from './traces/trace-environment.ts';
import type { IdentityJob } from '../../platform/tokens/identity/identity-tokens.ts';
import type { HostTools } from './tools.ts';
import type { Workspace } from './workspace.ts';
import type { OpenedJob } from '../../platform/tokens/opened-job.ts';

export interface PreparedJob {
  readonly options: Omit<JobOptions, 'log' | 'hide' | 'hideInStream' | 'onEnvValue' | 'onStep' | 'signal'>;
  /** Values of its environment that must not appear in its log. */
  readonly secrets: readonly string[];
  readonly terraformVersion: string;
}

/** For the check-out. Gets the token first, because a fetch that waits for one cannot be stopped. */
export async function authorizationFor(
  { context: { readTokens } }: Pick<HostTools, 'context'>,
  job: OpenedJob,
  signal: AbortSignal,
): Promise<Authorization> {
  await readTokens.tokenFor(job, signal);
  return async () => gitAuthorization(await readTokens.tokenFor(job));
}

/** The caller that gives the token closes the identity when the job has ended. If this throws, it is closed. */
export async function prepareJob(
  tools: HostTools,
  job: IdentityJob,
  workspace: Workspace,
  identityToken: string | undefined,
): Promise<PreparedJob> {
  try {
    return await prepareWith(tools, job, workspace, await openIdentity(tools, job, workspace, identityToken));
  } catch (error) {
    await closeIdentity(tools, job);
    throw error;
  }
}

async function prepareWith(
  tools: HostTools,
  job: IdentityJob,
  workspace: Workspace,
  identity: JobIdentity,
): Promise<PreparedJob> {
  const { context } = tools;
  const binary = await binaryFor(tools, job, workspace);
  const token = await context.readTokens.tokenFor(job);
  const authorization = gitAuthorization(token);
  const home = homeOf(workspace);
  const { network } = job.root;
  const sandbox = await sandboxOfJob(tools, { workspace, binary: binary.path, home, network, files: identity.files });
  // A sandbox has a folder of its own for temporary files.
  const own = { ...context.environment, ...(sandbox && { TMPDIR: '/tmp' }) };
  const from = Object.fromEntries(Object.entries(own).filter(([name]) => !identity.hidden.has(name)));
  const allow = allowedFor(tools, job);
  const rootEnv = { ...traceEnvironment(tools, job), ...identity.env };
  const env = terraformEnvironment({ from, allow, home, workspace: job.root.workspace, rootEnv });
  const options = {
    binary: binary.path,
    terraformVersion: binary.version,
    treeDir: workspace.treeDir,
    root: job.root,
    repository: job.repository,
    commit: job.revision.sha,
    folder: workspace.jobFolder,
    planFile: workspace.planFile,
    env,
    initEnv: gitCredentialsEnvironment(context.config.github.url, authorization),
    sandbox,
    sharedState: context.server.current().terraform.sharedState,
    providers: { cache: context.providers, folder: providersOf(workspace) },
  };
  const ofGit = [token, authorization.replace(/^Basic /, '')];
  const secrets = [...ofGit, ...identity.secrets, ...secretsOfEnvironment(allowedVariables(from, allow))];
  return { options, secrets, terraformVersion: binary.version };
}

/** Removes what the commands of a plan could write beside its tree, so that the apply finds none of it. */
export async function forgetHome(workspace: Workspace): Promise<void> {
  for (const folder of [homeOf(workspace), providersOf(workspace)]) await removeTree(folder);
}

function homeOf({ folder }: Workspace): string {
  return join(folder, 'home');
}

function providersOf({ folder }: Workspace): string {
  return join(folder, 'providers');
}

function allowedFor({ context }: HostTools, job: IdentityJob): readonly string[] {
  const { envAllow, envAllowPlan, envAllowApply, envAllowPreview } = context.server.current().terraform;
  if (isOfUnmergedCode(job)) return envAllowPreview;
  return [...envAllow, ...(phaseOfJob(job) === 'apply' ? envAllowApply : envAllowPlan)];
}

/** Nothing is read of a root that a link leads out of its tree: its job says so before it runs anything. */
async function binaryFor({ findBinary }: HostTools, { root }: OpenedJob, { treeDir }: Workspace): Promise<FoundBinary> {
  const located = await locateRoot(treeDir, root.dir);
  const requiredVersion =
    located.kind === 'found' ? await readRequiredVersion(located.rootDir, root.distribution) : undefined;
  return findBinary({
    distribution: root.distribution,
    ...defined({ version: root.terraformVersion, requiredVersion }),
  });
}
