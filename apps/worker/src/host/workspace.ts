/**
 * What a host has of one deployment on its disk: `<WORK_DIR>/<deployment id>/` with the working tree, the plan, and a
 * folder for each job's output. The same path on every host, because a plan remembers it.
 */
import { access } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { ApplyJob, HostJob } from '@nereid/contracts';
import { runCommand } from '@nereid/subprocess';
import { gitCredentialsEnvironment } from '@nereid/git';
import { gitAuthorization } from '@nereid/github';
import { digestOf, readRequiredVersion, terraformEnvironment, type JobOptions } from '@nereid/terraform';
import type { PlanToKeep } from '@nereid/storage';
import type { HostTools } from './tools.ts';

export interface Workspace {
  readonly folder: string;
  readonly treeDir: string;
  readonly rootDir: string;
  readonly planFile: string;
}

/** Listing what planning left behind is local and takes milliseconds. */
const LIST_TIMEOUT_MS = 60_000;

export function workspaceOf({ context }: HostTools, job: HostJob, treeDir: string): Workspace {
  const folder = join(context.config.workDir, job.deploymentId);
  return { folder, treeDir, rootDir: join(treeDir, job.root.dir), planFile: join(folder, 'plan') };
}

/** What plan and apply of a deployment have in common. */
export async function jobOptions(
  { context, findBinary }: HostTools,
  job: HostJob | ApplyJob,
  workspace: Workspace,
): Promise<PreparedJob> {
  const { terraform } = context.server.current();
  const requiredVersion = await readRequiredVersion(workspace.rootDir);
  const binary = await findBinary({
    distribution: job.root.distribution,
    ...(job.root.terraformVersion !== undefined && { version: job.root.terraformVersion }),
    ...(requiredVersion !== undefined && { requiredVersion }),
  });
  const token = await context.github.installationToken(job.repository, { contents: 'read' });
  const authorization = gitAuthorization(token);
  const env = terraformEnvironment({
    from: context.environment,
    allow: terraform.envAllow,
    home: join(workspace.folder, 'home'),
    workspace: job.root.workspace,
    gitCredentials: gitCredentialsEnvironment(context.config.github.url, authorization),
  });
  const options = {
    binary: binary.path,
    treeDir: workspace.treeDir,
    root: job.root,
    repository: job.repository,
    folder: join(workspace.folder, job.jobId),
    planFile: workspace.planFile,
    env,
  };
  const secrets = [token, authorization.replace(/^Basic /, ''), ...secretValues(env)];
  return { options, secrets, terraformVersion: binary.version };
}

/** Cloud credentials that the server lets through, by the names that they usually have. */
function secretValues(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(env)
    .filter(([name, value]) => SECRET_NAME.test(name) && value.length >= SHORTEST_SECRET)
    .map(([, value]) => value);
}

const SECRET_NAME = /secret|token|password|credential|key/i;

/** Shorter values, such as `true`, would mask innocent words. */
const SHORTEST_SECRET = 8;

export interface PreparedJob {
  readonly options: Omit<JobOptions, 'log' | 'onStep' | 'signal'>;
  /** What of its environment must not be read in its log. */
  readonly secrets: readonly string[];
  readonly terraformVersion: string;
}

/** The plan and everything that its apply needs on another host. */
export async function planToKeep(
  { context }: HostTools,
  job: HostJob,
  workspace: Workspace,
  terraformVersion: string,
  env: Readonly<Record<string, string>>,
): Promise<PlanToKeep> {
  const lockFile = join(workspace.rootDir, '.terraform.lock.hcl');
  const hasLockFile = await exists(lockFile);
  const untracked = await filesMadeWhilePlanning(workspace, context.environment['PATH'] ?? '');
  return {
    folder: workspace.folder,
    planFile: relative(workspace.folder, workspace.planFile),
    ...(hasLockFile && { lockFile: relative(workspace.folder, lockFile) }),
    untracked: untracked.filter((path) => join(workspace.folder, path) !== lockFile),
    env,
    description: {
      path: workspace.rootDir,
      terraformVersion,
      distribution: job.root.distribution,
      lockFileDigest: hasLockFile ? await digestOf(lockFile) : null,
      backend: null,
    },
  };
}

/** Untracked files outside `.terraform`, relative to the deployment's folder. */
async function filesMadeWhilePlanning(workspace: Workspace, searchPath: string): Promise<readonly string[]> {
  const { stdout } = await runCommand({
    argv: ['git', 'ls-files', '--others', '-z', '--exclude=.terraform/'],
    cwd: workspace.treeDir,
    env: { PATH: searchPath, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    timeoutMs: LIST_TIMEOUT_MS,
  });
  const top = relative(workspace.folder, workspace.treeDir);
  return stdout.split('\0').flatMap((path) => (path === '' ? [] : [join(top, path)]));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
