import { z } from 'zod';
import { BranchName, Envelope, Id, readPayload, repositoryOf, RepositoryFields, senderOf } from './payload.ts';
import { ignore, accept, type EventFilter, type Verdict } from './verdict.ts';

const PullRequest = z.object({ action: z.string().max(50) });

const Changed = Envelope.extend({
  number: Id,
  pull_request: z.object({ base: z.object({ ref: BranchName }) }),
  repository: RepositoryFields.extend({ default_branch: BranchName }),
  changes: z.looseObject({ base: z.unknown().optional() }).optional(),
});

/** What changes the plans of a pull request, besides its base. */
const ACTIONS: ReadonlySet<string> = new Set([
  ...['opened', 'synchronize', 'reopened', 'closed'],
  ...['ready_for_review', 'converted_to_draft'],
]);

/** A pull request into the deployed branch shows what its merge would change. */
export function readPullRequest(payload: unknown, filter: EventFilter): Verdict {
  const base = readPayload(PullRequest, payload);
  if (base.kind === 'invalid') return base;
  const { action } = base.value;
  if (action !== 'edited' && !ACTIONS.has(action)) return ignore('it does not change what a merge would bring');
  const read = readPayload(Changed, payload);
  if (read.kind === 'invalid') return read;

  const { number, pull_request: pullRequest, repository, changes, sender } = read.value;
  const hasOtherBase = changes?.base !== undefined;
  if (action === 'edited' && !hasOtherBase) return ignore('only its text was edited');
  const deployed = filter.branch ?? repository.default_branch;
  // It may have been planned for the former base.
  if (pullRequest.base.ref !== deployed && !hasOtherBase && filter.planAllBases !== true)
    return ignore(`it is not to be merged into ${deployed}`);
  return accept({
    kind: 'pull-request',
    repository: repositoryOf(read.value),
    pullRequest: number,
    action,
    ...senderOf(sender),
  });
}
