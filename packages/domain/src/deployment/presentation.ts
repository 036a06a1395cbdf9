import type { Deployment } from './model.ts';
import type { Lock } from './lock.ts';
import type { NoticeProof } from './notice.ts';
import type { CheckRunRef } from './check-run.ts';

/** The content of one deployment's check run. The pure `renderCheckRun` of packages/texts renders it. */
export interface Presentation {
  readonly deployment: Deployment;
  /** How many deployments go before it; present while it waits. */
  readonly ahead?: number;
  /** The lock it waits for. */
  readonly lock?: Lock;
  readonly notice?: string;
  /** A notice that names somebody is shown only with it, or if that person asked for the deployment's end. */
  readonly noticeProof?: NoticeProof;
  /** An earlier attempt may have created the check run although its answer was lost: look before creating one. */
  readonly creationUncertain?: boolean;
}

/** The result of one presentation. */
export type Shown =
  | { readonly deploymentId: string; readonly kind: 'shown'; readonly checkRuns: readonly CheckRunRef[] }
  /**
   * Worth another try, but not before `retryAfterMs` if given: the forge may still be busy with the last one. If it is `isUnsent`, the
   * forge never heard of it.
   */
  | {
      readonly deploymentId: string;
      readonly kind: 'failed';
      readonly why: string;
      readonly retryAfterMs?: number;
      readonly isUnsent?: true;
    }
  /** Its turn among the installation's writes comes after `retryAfterMs`. A more important write may get an earlier turn. */
  | { readonly deploymentId: string; readonly kind: 'limited'; readonly why: string; readonly retryAfterMs: number }
  /** The forge will not show this, however often it is asked. */
  | { readonly deploymentId: string; readonly kind: 'refused'; readonly why: string };

/** A result that needs no retry. */
export type Taken = Extract<Shown, { readonly kind: 'shown' | 'refused' }>;
