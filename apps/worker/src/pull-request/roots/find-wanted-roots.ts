/** The roots of a merged result that are planned: those that it modifies or removes, and those that somebody named. */
import { formatProblem, type RepositoryPolicy } from '@nereid/config';
import type { PullRequestRecord, PullRequestVerdict } from '@nereid/domain/pull-request';
import type { Repository, Root } from '@nereid/domain/root';
import type { PullRequest } from '@nereid/forge';
import { removedSentence } from '@nereid/texts';
import type { RevisionTools } from '../../root/revision-tools.ts';
import { listNames } from '../../platform/list-names.ts';
import { configWarnings } from '../../root/config-warnings.ts';
import { discoverIn } from '../../root/discover.ts';
import { findKnownRoots } from './find-known-roots.ts';

/** More plans than anybody reads, and as many check runs. */
export const ROOTS_LIMIT = 100;

interface Looking {
  readonly tools: RevisionTools;
  readonly repository: Repository;
  readonly policy: RepositoryPolicy;
  readonly pullRequest: Pick<PullRequest, 'headSha'>;
  readonly record: PullRequestRecord;
}

export type WantedRoots =
  | {
      readonly roots: readonly Root[];
      /** Roots that the merge does not deploy, and whose plan somebody asked for. */
      readonly named: readonly Root[];
      /** Counts the roots that are modified as well. */
      readonly unplanned: number;
      /** The names of all roots that are removed. */
      readonly removed: readonly string[];
      /** Those whose state is looked at. */
      readonly gone: readonly Root[];
      readonly configWarnings: readonly string[];
    }
  | { readonly verdict: PullRequestVerdict };

export async function findWantedRoots(subject: Looking, base: string, merged: string): Promise<WantedRoots> {
  const { tools, repository, policy, pullRequest, record } = subject;
  const range = { kind: 'push', before: base, after: merged } as const;
  const found = await discoverIn(tools, { repository, policy, range });
  if (found.kind === 'problems') {
    const { file, problems } = found;
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    return {
      verdict: failure(
        `${file}: ${count}`,
        problems.map((problem) => formatProblem(problem, file)),
      ),
    };
  }
  const warnings = configWarnings(found);
  const modified = found.modified.map(({ root }) => root);
  const wanted = modified.length > ROOTS_LIMIT ? wantedOf(record, pullRequest.headSha) : [];
  const roots = wanted.length === 0 ? modified : modified.filter(({ name }) => wanted.includes(name));
  const removed = found.deleted;
  const names = removed.slice(0, Math.max(0, ROOTS_LIMIT - roots.length));
  const gone = await findKnownRoots(tools, { repository, policy, sha: base, names });
  if (roots.length > ROOTS_LIMIT) return { verdict: tooManyRoots(subject, roots) };
  const touched = new Set([...modified.map(({ name }) => name), ...removed]);
  const named = (await namedRoots(subject, merged, touched)).slice(0, ROOTS_LIMIT - roots.length);
  if (roots.length + named.length + gone.length === 0) {
    const unplanned = found.unplanned === undefined ? [] : [found.unplanned];
    const lines = [...removed.map(removedSentence), ...unplanned, ...warnings];
    return { verdict: { conclusion: 'success', title: 'Touches no root', lines } };
  }
  const unplanned = modified.length - roots.length;
  return { roots, named, unplanned, removed, gone, configWarnings: warnings };
}

/** Nothing of it can be planned as it is. */
export function failure(title: string, lines: readonly string[] = []): PullRequestVerdict {
  return { conclusion: 'failure', title, lines };
}

/** What was asked for last of this head comes first, then what was asked for before; empty for everything. */
function wantedOf({ asked, look }: PullRequestRecord, headSha: string): readonly string[] {
  if (asked?.headSha !== headSha || asked.rootNames.length === 0) return [];
  const before = look?.headSha === headSha ? look.previews.map(({ rootName }) => rootName) : [];
  return [...new Set([...asked.rootNames, ...before])].slice(0, ROOTS_LIMIT);
}

/** The roots that the merge does not touch, and that somebody named for this head. One that is no longer there is left out. */
async function namedRoots(
  { tools, repository, policy, pullRequest: { headSha }, record: { asked, look } }: Looking,
  merged: string,
  touched: ReadonlySet<string>,
): Promise<readonly Root[]> {
  const before = look?.headSha === headSha ? look.previews.filter(({ isNamed }) => isNamed) : [];
  const now = asked?.headSha === headSha ? asked.rootNames : [];
  const names = [...new Set([...now, ...before.map(({ rootName }) => rootName)])].filter((name) => !touched.has(name));
  return findKnownRoots(tools, { repository, policy, sha: merged, names });
}

/** Nobody can name roots of a merge queue's group, and a group that waits for somebody holds up the queue. */
function tooManyRoots({ tools, record }: Looking, roots: readonly Root[]): PullRequestVerdict {
  const [commentName] = tools.context.server.current().commentNames;
  const how = record.group ? 'merge fewer pull requests at once' : `comment \`${commentName} plan <root>…\``;
  const title = `${roots.length} roots, the limit is ${ROOTS_LIMIT}: ${how}`;
  const lines = [listNames(roots.map(({ name }) => name))];
  return { conclusion: record.group ? 'failure' : 'action_required', title, lines };
}
