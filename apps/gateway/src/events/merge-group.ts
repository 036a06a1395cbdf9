import { lastOfMergeGroup } from '@nereid/domain/pull-request';
import { z } from 'zod';
import { BranchName, Envelope, readPayload, repositoryOf, RepositoryFields, senderOf, Sha } from './payload.ts';
import { ignore, accept, type EventFilter, type Verdict } from './verdict.ts';

const HEADS = 'refs/heads/';
const Ref = z
  .string()
  .startsWith(HEADS)
  .transform((ref) => ref.slice(HEADS.length))
  .pipe(BranchName);

const Group = Envelope.extend({
  action: z.string().max(50),
  merge_group: z.object({ head_sha: Sha, head_ref: Ref, base_ref: Ref }),
  repository: RepositoryFields.extend({ default_branch: BranchName }),
});

const ACTIONS: ReadonlySet<string> = new Set(['checks_requested', 'destroyed']);

/** A merge queue asks for the checks of a group of pull requests, or does not need them any more. */
export function readMergeGroup(payload: unknown, filter: EventFilter): Verdict {
  const read = readPayload(Group, payload);
  if (read.kind === 'invalid') return read;
  const { action, merge_group: group, repository, sender } = read.value;
  if (!ACTIONS.has(action)) return ignore('it neither asks for checks nor ends them');
  const deployed = filter.branch ?? repository.default_branch;
  if (group.base_ref !== deployed) return ignore(`it is not to be merged into ${deployed}`);
  const number = lastOfMergeGroup(deployed, group.head_ref);
  if (number === undefined) return ignore('its branch names no pull request');
  return accept({
    kind: 'merge-group',
    repository: repositoryOf(read.value),
    pullRequest: number,
    branch: group.head_ref,
    headSha: group.head_sha,
    action,
    ...senderOf(sender),
  });
}
