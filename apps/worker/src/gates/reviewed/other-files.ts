/**
 * Whether a merge brought other files to a root than those that were planned before it. Merges elsewhere in the repository make no
 * difference: the inputs of the root are compared, and whole trees only where it may read files that are not among them.
 */
import { withoutMentions, type Deployment } from '@nereid/domain/deployment';
import type { MergeReview } from '@nereid/domain/plan';
import type { Repository } from '@nereid/domain/root';
import { compareInputs, saysUnknowable, type InputTools, type TwoCommits } from '../../root/compare-inputs.ts';

export interface Merged {
  readonly repository: Repository;
  readonly deployment: Deployment;
  readonly reviewed: Pick<MergeReview, 'tree'>;
  /** The preview that made the plan; undefined when it is gone. */
  readonly preview: Deployment | undefined;
}

const OTHER_FILES = 'other files were merged than those that were planned, because another change was merged first';

/** One sentence; undefined when the files are the same to this root. */
export async function whyOtherFiles(tools: InputTools, merged: Merged): Promise<string | undefined> {
  const { mirrors } = tools.context;
  const { repository, deployment, reviewed, preview } = merged;
  const { sha } = deployment.revision;
  if ((await mirrors.treeId(repository, sha, tools.signal)) === reviewed.tree) return undefined;
  if (preview === undefined) return OTHER_FILES;
  try {
    const before = await plannedCommit(tools, repository, reviewed, preview);
    return before === undefined ? OTHER_FILES : await describeChange(tools, merged, { before, after: sha });
  } catch (error) {
    if (saysUnknowable(error)) return OTHER_FILES;
    throw error;
  }
}

/** The mirror of this host may lack the commit that a preview was made of, and makes the same one again. */
async function plannedCommit(
  { context: { mirrors }, signal }: InputTools,
  repository: Repository,
  reviewed: Pick<MergeReview, 'tree'>,
  { preview }: Deployment,
): Promise<string | undefined> {
  if (preview === undefined) return undefined;
  const { baseSha, headSha } = preview;
  const made = await mirrors.merge(repository, { base: baseSha, head: headSha }, signal);
  if (made.kind !== 'merged') return undefined;
  return (await mirrors.treeId(repository, made.sha, signal)) === reviewed.tree ? made.sha : undefined;
}

async function describeChange(
  tools: InputTools,
  { repository, deployment: { root } }: Merged,
  commits: TwoCommits,
): Promise<string | undefined> {
  const compared = await compareInputs(tools, repository, root, commits);
  if (compared === undefined) return OTHER_FILES;
  const { changed, opaque } = compared;
  if (changed !== undefined) return withoutMentions(`${OTHER_FILES}: ${JSON.stringify(changed.slice(0, SHOWN))}`);
  return opaque && withoutMentions(`${OTHER_FILES}, and this root may read any of them: ${opaque}`);
}

/** Enough to recognise a path. */
const SHOWN = 200;
