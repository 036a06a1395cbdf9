/**
 * One job: the steps of a plan or of an apply, one after the other, with one log.
 *
 * Every step can be stopped, and all steps share the job's time. A shell runs only `run` steps and `env` steps with `run`,
 * which come from nowhere but the server's configuration.
 */
import type { Step } from '@nereid/domain/root';
import type { Sandbox } from '@nereid/subprocess';
import type { Environment } from '../environment.ts';
import type { SandboxChoices } from './job-sandbox.ts';
import type { StepResult } from './step-result.ts';

export interface Job {
  /** `commandName` names the step's files in the folder. */
  run(step: Step, commandName: string): Promise<StepResult>;
  /** Fails with the lock of the state, where there is one. */
  findLock(): Promise<StepResult>;
  /** Frees a lock of the state; `lockId` is of the form `isLockId`. */
  forceUnlock(lockId: string): Promise<StepResult>;
  /** Whether the workspace of the root is not there, and its plan is against nothing. */
  isWorkspacePretended: boolean;
  /** The values of `env` steps so far. */
  readonly envValues: Environment;
  readonly rootDir: string;
  /** The rest of the job's time. */
  remainingMs(): number;
  env(): Environment;
  /** The sandbox of a command. Default: with the job's own access to the plan, and no more files. */
  sandbox(choices?: SandboxChoices): Sandbox | undefined;
}
