/** Asks the forge for the people behind revisions, and behind the pull requests that brought them. */
import type { Repository } from '@nereid/domain/root';
import { ForgeRefusedError, type CommitContributors, type Contributors } from '@nereid/forge';
import pMap from 'p-map';
import type { RevisionTools } from '../root/revision-tools.ts';
import { pushersOfPullRequest } from './pull-request-pushers.ts';

/** Each costs a few requests. A stretch of more merges that were never deployed is a matter for an admin. */
export const REVISIONS_ASKED = 20;

/** Who pushed to their branches, and the people of the pull requests that were merged into these, and so on. */
export async function peopleOfPullRequests(
  call: RevisionTools,
  repository: Repository,
  commits: readonly CommitContributors[],
): Promise<readonly Contributors[]> {
  const asked = new Set<number>();
  const people: Contributors[] = [];
  let left = commits;
  while (left.length > 0) {
    const pulls = new Map(left.flatMap(({ pullRequests }) => pullRequests.map((one) => [one.number, one] as const)));
    const next = [...pulls.values()].filter(({ number }) => !asked.has(number));
    if (asked.size + next.length > PULL_REQUESTS_ASKED) return [...people, { people: [], hasUnknown: true }];
    const found = await pMap(next, (pull) => pushersOfPullRequest(call, repository, pull), {
      concurrency: ASKED_AT_ONCE,
    });
    for (const { number } of next) asked.add(number);
    const shas = found.flatMap(({ merges }) => merges);
    const merged = await askContributors(call, repository, shas, '');
    left = [...merged.found.values()];
    people.push(...found, ...left, { people: [], hasUnknown: merged.isCut });
  }
  return people;
}

/** Ten for each of the revisions. */
const PULL_REQUESTS_ASKED = 200;

interface AskedContributors {
  readonly found: ReadonlyMap<string, CommitContributors>;
  /** Whether there are too many to ask for. */
  readonly isCut: boolean;
}

/**
 * The people of each revision, unless the pull request of another one has it, too. Throws where the forge does not give out the one
 * that is `needed`.
 */
export async function askContributors(
  { context: { forge } }: Pick<RevisionTools, 'context'>,
  repository: Repository,
  shas: readonly string[],
  needed = shas[0],
): Promise<AskedContributors> {
  const found = new Map<string, CommitContributors>();
  let left = shas;
  while (left.length > 0 && found.size < REVISIONS_ASKED) {
    const next = left.slice(0, ASKED_AT_ONCE);
    const answers = await Promise.all(
      next.map(async (sha) => {
        try {
          return await forge.commits.contributors(repository, sha);
        } catch (error) {
          const isGone = error instanceof ForgeRefusedError && [404, 422].includes(error.status);
          if (sha === needed || !isGone) throw error;
          return GONE;
        }
      }),
    );
    for (const [index, sha] of next.entries()) found.set(sha, answers[index] ?? GONE);
    const known = new Set([...next, ...answers.flatMap((answer) => answer.shas)]);
    left = left.filter((sha) => !known.has(sha));
  }
  return { found, isCut: left.length > 0 };
}

/** An earlier revision that the forge does not give out, after a force-push for instance, is a matter for an admin. */
const GONE: CommitContributors = { people: [], hasUnknown: true, shas: [], mergedInto: [], pullRequests: [] };

/** Each takes a few requests of its own. */
const ASKED_AT_ONCE = 4;
