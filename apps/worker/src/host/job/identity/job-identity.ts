/**
 * What a job is to clouds: the variables of its root and phase, and the token of its identity, in a file that its commands read.
 * The token goes with the job; what it was traded for has a life of its own.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { directoriesOf, hasOwnApplyIdentity, identityFor, type RootIdentity } from '@nereid/config';
import { fullName } from '@nereid/domain/root';
import type { Phase } from '@nereid/domain/tokens';
import { hasErrorCode, type SandboxFile } from '@nereid/subprocess';
import type { IdentityJob } from '../../../platform/tokens/identity/identity-tokens.ts';
import { credentialsOf, type TokenFiles } from './cloud-credentials.ts';
import type { HostTools } from '../tools.ts';
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

/** Undefined for a root without an identity. Ask for it first: permission to apply lasts some minutes. */
export async function identityTokenFor(
  tools: Pick<HostTools, 'context'>,
  job: IdentityJob,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (identityOf(tools, job).identity === undefined) return undefined;
  return tools.context.identityTokens.tokenFor(job, signal);
}

export function phaseOfJob(job: IdentityJob): Phase {
  return 'go' in job ? 'apply' : 'plan';
}

/** Writes the token where only this job reads it. */
export async function openIdentity(
  tools: Pick<HostTools, 'context' | 'sandbox'>,
  job: IdentityJob,
  { jobFolder }: Pick<Workspace, 'jobFolder'>,
  token: string | undefined,
): Promise<JobIdentity> {
  const { environment, identity } = identityOf(tools, job);
  const phase = phaseOfJob(job);
  const variables = environment[phase];
  if (token === undefined || identity === undefined)
    return { env: variables, hidden: new Set(), secrets: [], files: [] };
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
    secrets: [token],
    files: [{ path: folder, at: FOLDER_IN_SANDBOX, access: 'read' }],
  };
}

/** Await it when no command of the job runs any more. A failure is logged: the token ends by itself. */
export async function closeIdentity({ context }: Pick<HostTools, 'context'>, job: OpenedJob): Promise<void> {
  try {
    await rm(folderOf(context, job), { recursive: true, force: true });
  } catch (error) {
    const fields = { err: error, deployment: job.deploymentId, job: job.jobId };
    context.logger.warn(fields, 'the token of an identity could not be removed');
  }
}

/**
 * The token that a former worker gave to the job, to be hidden in its log: none for a root without an identity. Undefined when it
 * is gone.
 */
export async function leftTokens(
  tools: Pick<HostTools, 'context'>,
  job: OpenedJob,
): Promise<readonly string[] | undefined> {
  try {
    return [await readFile(join(folderOf(tools.context, job), TOKEN), 'utf8')];
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
    return identityOf(tools, job).identity === undefined ? [] : undefined;
  }
}

/** Whether clouds know the apply of a root as somebody else than its plan. */
export function appliesAsAnother({ context }: Pick<HostTools, 'context'>, { repository, root }: OpenedJob): boolean {
  return hasOwnApplyIdentity(context.server.current(), fullName(repository), placeOf(root));
}

function identityOf({ context }: Pick<HostTools, 'context'>, { repository, root }: OpenedJob): RootIdentity {
  return identityFor(context.server.current(), fullName(repository), placeOf(root));
}

function placeOf(root: OpenedJob['root']) {
  return { name: root.name, dirs: directoriesOf(root) };
}

function folderOf({ config }: HostTools['context'], job: OpenedJob): string {
  return folderIn(jobFolderIn(config.workDir, job));
}

function folderIn(jobFolder: string): string {
  return join(jobFolder, 'identity');
}
