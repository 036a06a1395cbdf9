/** Everything the page shows of a pull request's plans; also the answer to `/api/v1/pulls/<owner>/<repo>/<number>`. */
import type { PullRequestName } from '@nereid/domain/console';
import type { Progress } from '@nereid/domain/deployment';
import type { ConfirmedForMerge } from '@nereid/domain/plan';
import type { EarlierHead, PullRequestVerdict } from '@nereid/domain/pull-request';
import type { Source } from '../deployments/deployment-view.ts';

export interface PullRequestView {
  readonly pull: PullRequestName;
  /** As its plans were ordered; absent when there are none. */
  readonly title?: string;
  /** What its check run says, in one line. */
  readonly headline: string;
  /** Absent before it is looked at. */
  readonly look?: ShownLook;
  readonly verdict?: PullRequestVerdict;
  /** How many more roots the merge would change. */
  readonly unplanned: number;
  /** About the configuration that the merge would give; absent where there are none. */
  readonly configWarnings?: readonly string[];
  /** In the order of their names. */
  readonly previews: readonly PreviewView[];
  /** The newest first. */
  readonly heads: readonly ShownHead[];
  /** The sources that did not answer for this view; the rest of it may be out of date. */
  readonly unavailable: readonly Source[];
  readonly links: PullRequestLinks;
}

export interface ShownHead extends EarlierHead {
  /** On the forge. */
  readonly commit: string;
}

export interface ShownLook {
  readonly isOpen: boolean;
  readonly headSha: string;
  readonly baseBranch: string;
  readonly baseSha?: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Of a root that the merge would change. Never its steps or permissions, as on the page of a deployment. */
export interface PreviewView {
  readonly rootName: string;
  readonly deploymentId: string;
  /** The commit of the base that changed the root since. */
  readonly outdatedBy?: string;
  /** The newest commit of the base that it contains and that is not deployed. */
  readonly ahead?: string;
  /** The merge removes the root: what its state holds is listed, and nothing is planned. */
  readonly isRemoval?: true;
  /** Storage did not answer. */
  readonly isUnread: boolean;
  /** Absent when its record is gone or unread. */
  readonly planned?: PlannedView;
  /** Present when the plan may be confirmed for the merge: as `seen` of a deployment. */
  readonly seen?: string;
  /** The page of this plan, from the console's top, like `deployments/<id>?…`. */
  readonly path: string;
}

export interface PlannedView {
  readonly dir: string;
  readonly workspace: string;
  /** When it was ordered. ISO 8601. */
  readonly receivedAt: string;
  /** Sentences that a person has to read before they confirm the plan. */
  readonly warnings: readonly string[];
  readonly progress: Progress;
  /** Its workflow was not asked, or did not answer: it is under way, and nobody knows how far. */
  readonly isVague: boolean;
  /** Whose confirmation the merge will find. */
  readonly confirmedForMerge?: ConfirmedForMerge;
}

/** Absolute addresses; one that is not configured or not known is absent. */
export interface PullRequestLinks {
  readonly pullRequest: string;
  readonly commit?: string;
  readonly checkRun?: string;
  readonly workflow?: string;
}
