import type { Repository, Root, Step } from '@nereid/domain/root';
import type { Sandbox, StopTriggers } from '@nereid/subprocess';
import type { Environment } from '../environment.ts';
import type { ProviderCache } from '../providers/provider-cache.ts';

export interface JobOptions extends StopTriggers {
  /** The path that a `FindBinary` returned. */
  readonly binary: string;
  /** Exact. Default: one that takes variables for its plan alone. */
  readonly terraformVersion?: string;
  /** The top of the working tree, absolute. */
  readonly treeDir: string;
  readonly root: Root;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  /** 40 hex digits. */
  readonly commit: string;
  /**
   * A private folder for the output and exit codes of the job's commands, and for its temporary files: outside the tree, one
   * for each attempt. Made when absent.
   */
  readonly folder: string;
  /** Where the plan is written to, or read from. Outside the tree. */
  readonly planFile: string;
  /** Made by `terraformEnvironment`. */
  readonly env: Environment;
  /** Variables that only an init sees, such as credentials with which git fetches modules. */
  readonly initEnv?: Environment;
  /** Inits take providers from the cache and add new ones; `folder` belongs to this deployment. Default: no cache. */
  readonly providers?: { readonly cache: Pick<ProviderCache, 'fill' | 'collect'>; readonly folder: string };
  /** With the tree, the binary and `HOME`; the job adds its plan and its providers. Default: none, for code that is trusted. */
  readonly sandbox?: Sandbox | undefined;
  /** Gets the output of all steps as it comes, in chunks of at most 64 KiB; awaited before more is read. */
  readonly log: (chunk: Uint8Array) => void | Promise<void>;
  /** Hides secrets in the output that a failure quotes; default: nothing is hidden. */
  readonly hide?: (output: Uint8Array) => Uint8Array;
  /** The same for output that comes in pieces. */
  readonly hideInStream?: () => HidingStream;
  /** Called with the values that Terraform marks as sensitive in a plan, before anything of the plan is shown. */
  readonly onSensitiveValues?: (values: readonly string[]) => void;
  /** Called with the value of each `env` step, also a kept one, before any output that could show it. May be secret. */
  readonly onEnvValue?: (name: string, value: string) => void;
  /**
   * Called once the plan is made, before it is shown. Until it is, no code of the root changes the tree or the plan, if the job has a
   * sandbox.
   */
  readonly onPlanMade?: (made: MadePlanFile) => void;
  /** Gets a plan as `terraform show -json` prints it, sensitive values included; the file is removed afterwards. */
  readonly onPlanJson?: (file: string) => Promise<void>;
  /** Called before each step. */
  readonly onStep?: (step: StepName) => void;
  /** The pauses before an init that failed because of the network is tried again; default: 1 s and 5 s. */
  readonly initPausesMs?: readonly number[];
  /**
   * Absolute paths of folders that all hosts share, in which the backend `local` may keep a state. A root whose state would be
   * lost is not planned. Default: nobody asks, for states that nobody needs.
   */
  readonly sharedState?: readonly string[];
  /**
   * What becomes of a workspace that is not there. `make`: it is made. `pretend`: it is planned against nothing. Default: the init
   * fails.
   */
  readonly missingWorkspace?: 'make' | 'pretend';
  /** Default true: a plan waits for the state's lock, and holds it. */
  readonly locksState?: boolean;
}

export interface MadePlanFile {
  /** SHA-256 of the plan file, 64 hex digits. */
  readonly digest: string;
  /** Values of `env` steps. May be secret. */
  readonly envValues: Environment;
}

/** Hides secrets, however the output is cut into pieces. `rest` is the end, which may have been held back. */
export interface HidingStream {
  push(output: Uint8Array): Uint8Array;
  rest(): Uint8Array;
}

/** The step of a job, as heartbeats name it. `read`: `terraform show` and the summary. */
export type StepName = Step['kind'] | 'read' | 'find-lock' | 'force-unlock' | 'state list' | 'state pull' | 'workspace';

/** Another run locks a state for minutes; a lock that stays longer is a leftover, and waiting does not help. */
export const LOCK_TIMEOUT_MS = 5 * 60_000;
