/** The preparation that plan and apply have in common: the binary, the environment, the paths. */
import { join } from 'node:path';
import type { HostJob } from '@nereid/contracts';
import { gitCredentialsEnvironment } from '@nereid/git';
import { gitAuthorization } from '@nereid/github';
import { readRequiredVersion, terraformEnvironment, type FoundBinary, type JobOptions } from '@nereid/terraform';
import { secretsOfEnvironment } from './secrets.ts';
import type { HostTools } from './tools.ts';
import type { Workspace } from './workspace.ts';

export interface PreparedJob {
  readonly options: Omit<JobOptions, 'log' | 'hide' | 'onEnvValue' | 'onStep' | 'signal'>;
  /** Values of its environment that must not appear in its log. */
  readonly secrets: readonly string[];
  readonly terraformVersion: string;
}

export async function prepareJob(tools: HostTools, job: HostJob, workspace: Workspace): Promise<PreparedJob> {
  const { context } = tools;
  const binary = await binaryFor(tools, job, workspace);
  const token = await context.github.installationToken(job.repository, { contents: 'read' });
  const authorization = gitAuthorization(token);
  const env = terraformEnvironment({
    from: context.environment,
    allow: context.server.current().terraform.envAllow,
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
    providers: { cache: context.providers, folder: join(workspace.folder, 'providers') },
  };
  const secrets = [token, authorization.replace(/^Basic /, ''), ...secretsOfEnvironment(env)];
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
