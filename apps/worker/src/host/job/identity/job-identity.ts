/**
 * What a job is to clouds, on the disk of its host: the variables of its root and phase, its secrets, and the token of its identity,
 * in a file that its commands read. The token goes with the job; what it was traded for has a life of its own.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode, type SandboxFile } from '@nereid/subprocess';
import type { IdentityJob } from '../../../platform/tokens/identity/identity-tokens.ts';
import { credentialsOf, type TokenFiles } from './cloud-credentials.ts';
import { filesOf, identityOf, phaseOfJob, secretFilesOf } from './given-identity.ts';
import type { HostTools } from '../tools.ts';
import { readRootSecrets } from './root-secrets.ts';
import { secretsOfFile } from '../secrets.ts';
import { jobFolderIn, type Workspace } from '../workspace.ts';
import type { OpenedJob } from '../../../platform/tokens/opened-job.ts';

export interface JobIdentity {
  readonly env: Readonly<Record<string, string>>;
  /** Variables of the worker that would be believed before the token. */
  readonly hidden: ReadonlySet<string>;
  readonly secrets: readonly string[];
  readonly files: readonly SandboxFile[];
}

/** The same for every job, because providers may name the file. Bubblewrap can always make a folder at the top. */
const FOLDER_IN_SANDBOX = '/nereid';

const TOKEN = 'identity-token';
const GOOGLE = 'google.json';

/** Writes the token where only this job reads it. Throws a `RootSecretError` when a secret of the root is not there. */
export async function openIdentity(
  tools: Pick<HostTools, 'context' | 'sandbox'>,
  job: IdentityJob,
  { jobFolder }: Pick<Workspace, 'jobFolder'>,
  token: string | undefined,
): Promise<JobIdentity> {
  const { environment, identity } = identityOf(tools, job);
  const phase = phaseOfJob(job);
  const given = await readRootSecrets(
    tools.context.server.current().terraform.secretsFolder,
    secretFilesOf(tools, job),
  );
  const variables = { ...environment[phase], ...given };
  const hiddenValues = Object.entries(given).flatMap(([name, value]) => secretsOfFile(name, value));
  // No worker goes on with a plan that it did not start, so nobody would read those of a plan.
  if (phase === 'apply' && Object.keys(given).length > 0) await storeSecretsForSuccessor(jobFolder, hiddenValues);
  if (token === undefined || identity === undefined)
    return { env: variables, hidden: new Set(), secrets: hiddenValues, files: [] };
  const folder = folderIn(jobFolder);
  const shown = tools.sandbox.sandbox === 'none' ? folder : FOLDER_IN_SANDBOX;
  const files: TokenFiles = { token: join(shown, TOKEN), google: join(shown, GOOGLE) };
  const { env, hidden, googleFile } = credentialsOf({ identity, phase, variables, job, files });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, TOKEN), token, { mode: 0o600 });
  if (googleFile !== undefined) await writeFile(join(folder, GOOGLE), JSON.stringify(googleFile), { mode: 0o600 });
  return {
    env: { ...env, ...variables },
    hidden,
    secrets: [token, ...hiddenValues],
    files: [{ path: folder, at: FOLDER_IN_SANDBOX, access: 'read' }],
  };
}

/** Await it when no command of the job runs any more. A failure is logged: the token ends by itself. */
export async function closeIdentity({ context }: Pick<HostTools, 'context'>, job: OpenedJob): Promise<void> {
  try {
    const jobFolder = jobFolderIn(context.config.workDir, job);
    await removeAll([folderIn(jobFolder), secretsIn(jobFolder)]);
  } catch (error) {
    const fields = { err: error, deployment: job.deploymentId, job: job.jobId };
    context.logger.warn(fields, 'the token of an identity, or the secrets of a root, could not be removed');
  }
}

/** Tries each, whatever becomes of the others. */
async function removeAll(paths: readonly string[]): Promise<void> {
  const removals = await Promise.allSettled(paths.map((path) => rm(path, { recursive: true, force: true })));
  const failures = removals.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  if (failures.length > 0) throw new AggregateError(failures, `expected no ${paths.join(', ')} any more`);
}

/**
 * The secrets that a former worker gave to the apply, to be hidden in its log: the token of an identity, and the secrets of the
 * root, as far as the root has them. Undefined when they are gone.
 */
export async function leftTokens(
  tools: Pick<HostTools, 'context'>,
  job: OpenedJob,
): Promise<readonly string[] | undefined> {
  const jobFolder = jobFolderIn(tools.context.config.workDir, job);
  const token = await leftIn(join(folderIn(jobFolder), TOKEN));
  const secrets = await leftIn(secretsIn(jobFolder));
  const hadToken = token !== undefined || identityOf(tools, job).identity !== undefined;
  const hadSecrets = secrets !== undefined || Object.keys(filesOf(tools, job).apply).length > 0;
  if ((hadToken && token === undefined) || (hadSecrets && secrets === undefined)) return undefined;
  return [...(token === undefined ? [] : [token]), ...(secrets === undefined ? [] : (JSON.parse(secrets) as string[]))]; // Ours.
}

async function leftIn(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** A worker that comes after this one hides them in the log of an apply that outlives it; the files may have others by then. */
async function storeSecretsForSuccessor(jobFolder: string, secrets: readonly string[]): Promise<void> {
  await mkdir(jobFolder, { recursive: true, mode: 0o700 });
  await writeFile(secretsIn(jobFolder), JSON.stringify(secrets), { mode: 0o600 });
}

function folderIn(jobFolder: string): string {
  return join(jobFolder, 'identity');
}

/** No command sees it. */
function secretsIn(jobFolder: string): string {
  return join(jobFolder, 'root-secrets.json');
}
