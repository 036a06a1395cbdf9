/** What the commands of a job see besides the files of the sandbox that the job was given: its plan and its providers. */
import { constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import type { Sandbox, SandboxFile } from '@nereid/subprocess';
import type { JobOptions } from './job-options.ts';

/** `write` for the job that makes the plan. */
export type PlanAccess = SandboxFile['access'];

export interface SandboxChoices {
  readonly planAccess?: PlanAccess;
  /** In addition to the others, and on top of them. */
  readonly files?: readonly SandboxFile[] | undefined;
  /** Default: one of its own. */
  readonly proc?: Sandbox['proc'];
}

type SandboxOptions = Pick<JobOptions, 'sandbox' | 'planFile' | 'providers'>;

/** Makes the file where there is none, and follows no link. */
const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;

/** A sandbox has only files that exist. */
export async function makeSandboxFiles({ sandbox, planFile, providers }: SandboxOptions): Promise<void> {
  if (sandbox === undefined) return;
  if (providers !== undefined) await mkdir(providers.folder, { recursive: true, mode: 0o700 });
  await (await open(planFile, APPEND, 0o600)).close();
}

/**
 * Undefined when the job has no sandbox. Providers cannot be changed, because their files are those of other roots too. Only
 * an init adds some, beside those that it must not change, which it gives as `files`.
 */
export function jobSandbox(
  { sandbox, planFile, providers }: SandboxOptions,
  { planAccess = 'read', files = [], proc }: SandboxChoices,
): Sandbox | undefined {
  if (sandbox === undefined) return undefined;
  const plan = { path: planFile, access: planAccess } as const;
  const shared = providers && ({ path: providers.folder, access: 'read' } as const);
  return { ...sandbox, proc, files: [...sandbox.files, plan, ...(shared ? [shared] : []), ...files] };
}
