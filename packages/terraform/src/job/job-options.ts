import type { Repository, Root, Step } from '@nereid/contracts';
import type { StopTriggers } from '@nereid/subprocess';
import type { Environment } from './environment.ts';
import type { ProviderCache } from '../providers/provider-cache.ts';

export interface JobOptions extends StopTriggers {
  /** `findBinary` finds it. */
  readonly binary: string;
  /** The top of the working tree, absolute. */
  readonly treeDir: string;
  readonly root: Root;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  /**
   * Where the job's commands leave output and exit codes: outside the tree, private, one for each attempt. Made when absent;
   * holds the job's temporary files too.
   */
  readonly folder: string;
  /** Where the plan is written to, or read from. Outside the tree. */
  readonly planFile: string;
  /** `terraformEnvironment` makes it. */
  readonly env: Environment;
  /** Where inits get providers from and leave new ones; `folder` is of this deployment. Default: each init downloads all. */
  readonly providers?: { readonly cache: Pick<ProviderCache, 'fill' | 'collect'>; readonly folder: string };
  /** Gets the output of all steps as it comes, in chunks of at most 64 KiB; awaited before more is read. */
  readonly log: (chunk: Uint8Array) => void | Promise<void>;
  /** Hides secrets in the output from which a failure is told; default: nothing is hidden. */
  readonly hide?: (output: Uint8Array) => Uint8Array;
  /** Told the value of each `env` step, kept ones too, before anything that could show it is logged. May be secret. */
  readonly onEnvValue?: (name: string, value: string) => void;
  /** Told before each step. */
  readonly onStep?: (step: StepName) => void;
  /** How long to wait before an init that the network failed is tried again, for each time; default: 1 s and 5 s. */
  readonly initPausesMs?: readonly number[];
  /** How long Terraform waits for the state's lock; default `LOCK_TIMEOUT_MS`. */
  readonly lockTimeoutMs?: number;
}

/** What a job is doing, as a heartbeat says it. `read`: `terraform show` and the summary. */
export type StepName = Step['kind'] | 'read';

/** A state is locked by another run for minutes; a lock that stays longer was left over, and waiting does not help. */
export const LOCK_TIMEOUT_MS = 5 * 60_000;
