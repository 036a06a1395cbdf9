/** Our statuses on revisions, which GitHub calls check runs, as Nereid does. Creating one is not idempotent. */
import type { CheckRunRef } from '@nereid/domain/deployment';
import type { Repository } from '@nereid/domain/root';
import type { BackgroundOptions, Priority } from './background.ts';
import type { CheckRunContent } from './content.ts';

/** A check run of ours as the forge has it. */
export interface OwnCheckRun extends CheckRunRef {
  readonly name: string;
  readonly headSha: string;
  /** The deployment's id; empty for `nereid/config`. */
  readonly externalId: string;
  readonly conclusion: string | null;
}

export interface CreateOptions {
  /** The ids of this deployment's check runs that are not to be adopted. */
  readonly known?: readonly number[];
  /** An earlier attempt may have created the check run: look first. */
  readonly creationUncertain?: boolean;
}

export interface PresentOptions extends Pick<CreateOptions, 'creationUncertain'>, BackgroundOptions {
  /** Default, for deployments: `final` for a completed check run, `first` for the first one, otherwise `progress`. */
  readonly priority?: Priority;
  /** The content of a completed check run after a newer one has replaced it. */
  readonly superseded?: CheckRunContent;
}

export interface Statuses {
  create(repository: Repository, content: CheckRunContent, options?: CreateOptions): Promise<CheckRunRef>;
  update(repository: Repository, id: number, content: CheckRunContent): Promise<CheckRunRef>;
  /** Puts a sentence at the top of the summary and removes the buttons; the rest of the content stays. */
  addNotice(repository: Repository, id: number, sentence: string): Promise<void>;
  /**
   * Writes the newest content of a deployment. Updates its last check run, or creates a new one when there is none or when
   * work goes on after a completed one. Earlier check runs are written as superseded, in this call or the next. Returns all
   * check runs of the deployment, the last one last.
   *
   * Runs in the background, and creates with one attempt only. The forge may have done a write that failed for us, so the next
   * call looks first (`creationUncertain`). Throws a ForgeUnavailableError with `retryAfterMs` when the limits of the forge leave
   * no room in time: the turn is then reserved for a call for the same deployment, at that time or up to five seconds later.
   */
  present(
    repository: Repository,
    checkRuns: readonly CheckRunRef[],
    content: CheckRunContent,
    options?: PresentOptions,
  ): Promise<readonly CheckRunRef[]>;
  /** All our check runs on a revision with this name and external id, newest first, including superseded ones. */
  find(repository: Repository, sha: string, name: string, externalId: string): Promise<readonly OwnCheckRun[]>;
  /** Our newest check run of each name on a revision. */
  ofRevision(repository: Repository, sha: string): Promise<readonly OwnCheckRun[]>;
}
