import type { Repository } from '@nereid/domain/root';
import type { BackgroundOptions } from './status/background.ts';

/** A deployment to an environment, as the forge is to show it. */
export interface EnvironmentDeployment {
  /** The deployment's id, by which it is found again. */
  readonly id: string;
  /** 40 hex digits. */
  readonly sha: string;
  /** One line of at most 255 characters. */
  readonly environment: string;
  /** `inactive`: it ended without being deployed. */
  readonly state: 'in_progress' | 'success' | 'failure' | 'inactive';
  /** One line of at most 140 characters. */
  readonly sentence: string;
  readonly url: string;
}

/** Our word on a run of the forge's own pipelines, which waits before a job for an environment. */
export interface RunAnswer {
  /** The forge's number of the run. */
  readonly runId: number;
  readonly environment: string;
  /** Absent: the run goes on waiting, and people read why. */
  readonly state?: 'approved' | 'rejected';
  /** Markdown of at most `RUN_COMMENT_LIMIT` characters. */
  readonly comment: string;
}

/** The limit of the forge. */
export const RUN_COMMENT_LIMIT = 1_024;

/** The forge's own list of deployments: which revision each environment has, beside the statuses of revisions. */
export interface Environments {
  /**
   * Writes the state of a deployment, and creates it first if the forge does not have it. Returns the forge's number of it, which
   * is `known` the next time. A success ends earlier successes of the environment. Written again, nothing is there twice, and no
   * deployment that has ended is in progress again. In the background: see `Statuses.present`.
   */
  show(
    repository: Repository,
    deployment: EnvironmentDeployment,
    known: number | undefined,
    options?: BackgroundOptions,
  ): Promise<number>;
  /**
   * Answers a run, in the background. Throws a `ForgeRefusedError` with status 404, 410 or 422 when it does not wait any more, or
   * is none that we may answer.
   */
  answerRun(repository: Repository, answer: RunAnswer, options?: BackgroundOptions): Promise<void>;
  /** Whether a run has ended, such as one that was cancelled, or is gone. False again once somebody starts it again. In the background. */
  isRunOver(repository: Repository, runId: number, options?: BackgroundOptions): Promise<boolean>;
}
