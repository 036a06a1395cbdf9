import { NO_COMMIT } from '../git/bare-repository.ts';

/** A branch that moved; `NO_COMMIT` on one side when it was created or deleted. */
export interface BranchMove {
  readonly branch: string;
  readonly before: string;
  readonly after: string;
  /** The merge of a pull request into the branch: by a person, or by the branch's merge queue. */
  readonly mergedBy?: 'person' | 'queue';
}

export function movesBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): BranchMove[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((branch) => ({
      branch,
      before: before.get(branch) ?? NO_COMMIT,
      after: after.get(branch) ?? NO_COMMIT,
    }))
    .filter((move) => move.before !== move.after);
}
