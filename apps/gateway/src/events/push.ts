import { z } from 'zod';
import { BranchName, Envelope, readPayload, repositoryOf, RepositoryFields, senderOf, Sha } from './payload.ts';
import { ignore, accept, type EventFilter, type Verdict } from './verdict.ts';

const BRANCH_PREFIX = 'refs/heads/';

/** Seconds since 1970 in webhooks, unlike everywhere else. Nothing but the time of a mark depends on it. */
const PushedAt = z.int().positive().max(99_999_999_999).optional().catch(undefined);

const Push = Envelope.extend({
  ref: z.string().max(BRANCH_PREFIX.length + 255),
  before: Sha,
  after: Sha,
  forced: z.boolean(),
  deleted: z.boolean(),
  repository: RepositoryFields.extend({ default_branch: BranchName, pushed_at: PushedAt }),
});

/** A push to the deployed branch brings a revision to every root that it touches. */
export function readPush(payload: unknown, filter: EventFilter): Verdict {
  const read = readPayload(Push, payload);
  if (read.kind === 'invalid') return read;
  const push = read.value;

  if (!push.ref.startsWith(BRANCH_PREFIX)) return ignore('the push is not to a branch');
  const branch = push.ref.slice(BRANCH_PREFIX.length);
  const deployed = filter.branch ?? push.repository.default_branch;
  if (branch !== deployed) return ignore(`the push is not to the branch ${deployed}`);
  if (push.deleted) return ignore('the branch was deleted');
  const { pushed_at: pushedAt } = push.repository;
  return accept({
    kind: 'push',
    repository: repositoryOf(push),
    branch,
    before: push.before,
    after: push.after,
    forced: push.forced,
    ...(pushedAt !== undefined && { pushedAt: new Date(pushedAt * 1_000).toISOString() }),
    ...senderOf(push.sender),
  });
}
