/** Pull requests: what merging would change, before anybody merges. */
import type { Repository } from '../root/repository.ts';

/** A change that is planned before its merge: a pull request, or a group of a merge queue. */
export interface PreviewSubject {
  /** The number of the pull request; of a group, that of its last one. */
  readonly number: number;
  /** The head of the group, 40 hex digits. The merge queue makes another group of another head. */
  readonly group?: string;
}

/** The start input of the pull-request workflow. */
export interface PullRequestInput extends PreviewSubject {
  readonly repository: Repository;
  /** How long it waits for news before it ends, in milliseconds. Passed in so that tests run in milliseconds. */
  readonly idleMs?: number;
  /** How often the plans of deployed roots are made again at most, in milliseconds. Passed in like `idleMs`. */
  readonly deployedEveryMs?: number;
  /** How long the end of a preview waits for those of the others until it is shown, in milliseconds. Passed in like `idleMs`. */
  readonly othersMs?: number;
  /** What the run before, whose history was long, had not done. */
  readonly hasNews?: boolean;
  readonly deployed?: readonly string[];
}

/** Signals `look` and `preview-ended`: something changed on the forge, or in storage. Both are read, so they say hardly more. */
export interface PullRequestNews {
  readonly version: 1;
  /** The root whose deployment ended, or whose state changed: what was planned before may not be true any more. */
  readonly deployed?: string;
  /** The preview that ended. */
  readonly deploymentId?: string;
}

/** For the pull-request workflow. Each can be tried again, and one at a time runs for a pull request. */
export interface PullRequestActivities {
  /**
   * On the queue `pull-requests`. Brings the previews up to date with the forge: ends those of older heads, orders and starts
   * those that are missing.
   */
  syncPullRequest(repository: Repository, subject: PreviewSubject, deployed: readonly string[]): Promise<Looked>;
  /** On the queue `deploy`. Writes the check run `nereid/plan` and the comment as the previews stand. */
  showPullRequest(repository: Repository, subject: PreviewSubject): Promise<void>;
}

export interface Looked {
  /** For the Temporal UI. */
  readonly sentence: string;
  /** Whether there is anything to show; one that is closed keeps what it shows. */
  readonly isOpen: boolean;
  /** The ids of the previews whose ends are to come. */
  readonly underWay: readonly string[];
}

/** More than anybody reads, and a few KB. */
export const EARLIER_HEADS_LIMIT = 20;

/** The folder of the branches that a merge queue makes for its groups; `baseBranch` is what they are to be merged into. */
export function mergeGroupFolder(baseBranch: string): string {
  return `gh-readonly-queue/${baseBranch}/`;
}

/** The number of the last pull request of a group, from its branch like `gh-readonly-queue/main/pr-12-<sha>`. */
export function lastOfMergeGroup(baseBranch: string, branch: string): number | undefined {
  const folder = mergeGroupFolder(baseBranch);
  if (!branch.startsWith(folder)) return undefined;
  const name = /^pr-(?<number>[1-9]\d{0,8})-[0-9a-f]+$/.exec(branch.slice(folder.length));
  return name?.groups && Number(name.groups['number']);
}
