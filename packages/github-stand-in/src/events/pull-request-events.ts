import type { Json } from '../json/json.ts';
import { pullRequestJson } from '../json/pull-request-json.ts';
import type { PullRequest, Repository } from '../state/model.ts';
import { now } from '../state/store.ts';
import { emit } from './emit.ts';
import type { World } from '../world.ts';
import { readPullRequestFacts } from './pull-request-facts.ts';

/** Closes a pull request, as merged when `sha` is given, and sends the webhook. */
export async function endPullRequest(
  world: World,
  repository: Repository,
  pr: PullRequest,
  { sha, by }: { sha: string | undefined; by: string },
): Promise<void> {
  pr.state = 'closed';
  pr.closedAt = now();
  pr.merged = sha === undefined ? null : { sha, by, at: pr.closedAt };
  await emitPullRequest(world, repository, pr, 'closed', by);
}

export async function emitPullRequest(
  world: World,
  repository: Repository,
  pr: PullRequest,
  action: string,
  by: string,
  more: Json = {},
): Promise<void> {
  pr.updatedAt = now();
  world.store.changed();
  const payload = { number: pr.number, pull_request: await describePullRequest(world, repository, pr), ...more };
  emit(world, { event: 'pull_request', action, repository, sender: by, payload });
}

export async function describePullRequest(world: World, repository: Repository, pr: PullRequest): Promise<Json> {
  return pullRequestJson(world, repository, pr, await readPullRequestFacts(world, repository, pr));
}
