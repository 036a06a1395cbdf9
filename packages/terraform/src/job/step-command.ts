/** How steps become commands. */
import path from 'node:path';
import type { Step } from '@nereid/domain/root';
import type { Environment } from '../environment.ts';
import { LOCK_TIMEOUT_MS, type JobOptions, type StepName } from './job-options.ts';

/** No step of a workflow, so that no configuration asks for it. */
export interface ForceUnlockStep {
  readonly kind: 'force-unlock';
  /** Of the form `isLockId`: no flag. */
  readonly lockId: string;
}

/** Meets the lock of a state, where there is one, and changes nothing. */
export interface FindLockStep {
  readonly kind: 'find-lock';
}

/** Makes the workspace of the root. */
export interface NewWorkspaceStep {
  readonly kind: 'workspace';
}

export type CommandStep = Exclude<Step, { kind: 'env' | 'refuse' }> | ForceUnlockStep | FindLockStep | NewWorkspaceStep;
type Argv = readonly [string, ...string[]];

/** Colours are kept: Terraform writes them into files too, and logs show them. */
export function argvOf(step: CommandStep, options: JobOptions, variables: readonly string[] = []): Argv {
  const { binary, planFile, root, locksState = true } = options;
  const lockTimeout = `-lock-timeout=${LOCK_TIMEOUT_MS / 1_000}s`;
  switch (step.kind) {
    case 'init':
      return [binary, 'init', '-input=false', ...variables, ...step.extraArgs];
    case 'plan': {
      const varFiles = root.varFiles.map((file) => `-var-file=${file}`);
      const ours = ['-input=false', '-detailed-exitcode', locksState ? lockTimeout : '-lock=false', `-out=${planFile}`];
      return [binary, 'plan', ...ours, ...varFiles, ...step.extraArgs];
    }
    case 'apply':
      return [binary, 'apply', '-input=false', lockTimeout, ...variables, ...step.extraArgs, planFile];
    case 'force-unlock':
      return [binary, 'force-unlock', '-force', ...variables, step.lockId];
    // The shortest of the commands that take the lock, and without a resource it writes nothing.
    case 'find-lock':
      return [binary, 'taint', '-allow-missing', '-lock-timeout=0s', ...variables, 'nereid.none'];
    case 'workspace':
      return [binary, 'workspace', 'new', lockTimeout, ...variables, root.workspace];
    case 'run':
      return ['/bin/sh', '-c', step.run];
  }
}

/** `plan -detailed-exitcode` exits with 2 when there are changes. */
export function acceptedExitCodes(step: StepName): readonly number[] {
  return step === 'plan' ? [0, 2] : [0];
}

/** The variables of the server's own commands, under the names that Atlantis made known, and the path of the binary. */
export function variablesOfStep(
  { binary, repository, commit, root, planFile }: JobOptions,
  rootDir: string,
): Environment {
  return {
    BASE_REPO_OWNER: repository.owner,
    BASE_REPO_NAME: repository.name,
    // Without a mirror, git cannot tell it.
    HEAD_COMMIT: commit,
    DIR: rootDir,
    PROJECT_NAME: root.name,
    REPO_REL_DIR: path.posix.normalize(root.dir),
    WORKSPACE: root.workspace,
    PLANFILE: planFile,
    // The version that the root takes may not be the one in PATH.
    TERRAFORM: binary,
  };
}
