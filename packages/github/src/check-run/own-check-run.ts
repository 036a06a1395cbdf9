/** Check runs of our App, read from GitHub's answers. */
import type { CheckRunRef } from '@nereid/domain/deployment';
import type { OwnCheckRun } from '@nereid/forge';

/** octokit types ids as `number | bigint`; GitHub's ids are far below 2^53. */
export function refOf({ id, status }: { id: number | bigint; status: string }): CheckRunRef {
  return { id: Number(id), completed: status === 'completed' };
}

interface GitHubCheckRun {
  readonly id: number | bigint;
  readonly name: string;
  readonly head_sha: string;
  readonly external_id: string | null;
  readonly status: string;
  readonly conclusion: string | null;
  readonly app: { readonly id: number | bigint } | null;
}

/** Other Apps have check runs on the same commits. */
export function ownAmong(all: readonly GitHubCheckRun[], appId: number): readonly OwnCheckRun[] {
  return all.filter(({ app }) => Number(app?.id) === appId).map(ownCheckRun);
}

function ownCheckRun(checkRun: GitHubCheckRun): OwnCheckRun {
  return {
    ...refOf(checkRun),
    name: checkRun.name,
    headSha: checkRun.head_sha,
    externalId: checkRun.external_id ?? '',
    conclusion: checkRun.conclusion,
  };
}
