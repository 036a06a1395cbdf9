/** A commit on a branch, as something to deploy. */
export interface Revision {
  /** 40 hex digits. */
  readonly sha: string;
  readonly branch: string;
  /** `git rev-list --first-parent --count`: the order in which merged revisions are deployed. */
  readonly position: number;
  /** The first line of the commit's message, at most 200 characters. */
  readonly title: string;
  /** Login on the forge or, where it knows none, the name of the commit's author. */
  readonly author: string;
}

/** A short SHA, for people. */
export function shortSha(sha: string): string {
  return sha.slice(0, 7);
}
