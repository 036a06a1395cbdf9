/** A command in a comment on a pull request. */
import { formatProblem, policyFor, type RepositoryPolicy } from '@nereid/config';
import type { CommentEvent, IntakeResult } from '@nereid/domain/intake';
import { fullName, type Root } from '@nereid/domain/root';
import type { Problems } from '@nereid/discovery';
import type { PullRequest } from '@nereid/forge';
import pMap from 'p-map';
import { carryOut } from './carry-out-command.ts';
import { movedSince } from './commented-head.ts';
import { parseComment, type LaneCommand } from './comment-command.ts';
import { discoverIn, findIn } from '../../root/discover.ts';
import type { IntakeCall } from '../intake-call.ts';
import { withFailureReported } from '../with-failure-reported.ts';
import { broughtBy } from '../../person/contributors.ts';
import { lanePlace, LANES_ASKED } from '../../lane/lane-place.ts';
import { askerOf, decide, denialsFor } from '../../person/permission.ts';
import { helpText, NONE_MODIFIED } from './replies.ts';
import { withReactions } from './react-to-comment.ts';
import { handleForceUnlockCommand } from './handle-force-unlock-command.ts';
import { handlePlanCommand } from './handle-plan-command.ts';
import { refuse, reply } from './reply-to-comment.ts';
import { askPatiently, pullRequestUnavailable } from '../../person/ask-patiently.ts';
import { unmetRequirements } from '../requirements/check-requirements.ts';
import { NOT_ALLOWED, nothing, refused } from '../results.ts';

export async function handleComment(call: IntakeCall, event: CommentEvent): Promise<IntakeResult> {
  const policy = policyFor(call.context.server.current(), fullName(event.repository));
  if (!policy) return NOT_ALLOWED;
  return withReactions(call, event, () =>
    withFailureReported(
      () => answer(call, event, policy),
      (sentence) => refuse(call, event, [sentence]),
    ),
  );
}

async function answer(call: IntakeCall, event: CommentEvent, policy: RepositoryPolicy): Promise<IntakeResult> {
  const command = parseComment(event.line);
  switch (command.kind) {
    case 'help':
      await reply(call, event, helpText(call.context.server.current().commentNames[0], command.why));
      return command.why === undefined ? nothing('the commands are listed in a reply') : refused(command.why);
    case 'root-and-lock':
      return handleForceUnlockCommand(call, event, policy, command);
    case 'roots': {
      const { action } = command;
      return action === 'plan'
        ? handlePlanCommand(call, event, policy, command.rootNames)
        : handleLaneCommand(call, event, policy, { ...command, action });
    }
  }
}

async function handleLaneCommand(
  call: IntakeCall,
  event: CommentEvent,
  policy: RepositoryPolicy,
  command: LaneCommand,
): Promise<IntakeResult> {
  // Nothing is fetched or read for somebody who may do nothing to any root. Each root's own rule judges `-f`.
  const { repository } = event;
  const { action } = command;
  const request = {
    repository,
    policy,
    root: undefined,
    action: action === 'apply_force' ? 'apply' : action,
    ...askerOf(event),
    brought: () => broughtBy(''),
  };
  const anybody = await decide(call, request);
  if (anybody.kind === 'no') return refuse(call, event, [anybody.sentence]);

  const read = () => call.context.forge.pullRequests.get(repository, event.pullRequest);
  const pullRequest = await askPatiently(call, read, undefined);
  if (!pullRequest) return refuse(call, event, [pullRequestUnavailable(call.context)]);
  if (action === 'apply' || action === 'apply_force') {
    const unmet = await unmetRequirements(call, { repository, policy, pullRequest, force: action === 'apply_force' });
    if (unmet.length > 0) return refuse(call, event, unmet);
    const moved = await movedSince(call, event, pullRequest);
    if (moved.length > 0) return refuse(call, event, moved);
  }

  const found = await rootsOf(call, event, policy, command.rootNames, pullRequest);
  if (found.kind === 'refused') return refuse(call, event, found.sentences);
  // All of the roots or none: nobody asked for half of a command.
  const names = found.roots.map(({ name }) => name);
  const sha = pullRequest.headSha;
  const asked = { repository, policy, action, ...askerOf(event), brought: () => broughtBy(sha) } as const;
  const places = await pMap(found.roots, (root) => lanePlace(call, repository, root.name, [root]), LANES_ASKED);
  const denials = await denialsFor(call, asked, places);
  if (denials.length > 0) return refuse(call, event, denials, { rootNames: names, revision: sha });
  return carryOut(call, event, command, found.roots, pullRequest);
}

type RootsFound =
  | { readonly kind: 'roots'; readonly roots: readonly Root[] }
  | { readonly kind: 'refused'; readonly sentences: readonly string[] };

/** The named roots, or those that the pull request modifies. */
async function rootsOf(
  call: IntakeCall,
  { repository }: CommentEvent,
  policy: RepositoryPolicy,
  names: readonly string[],
  { baseSha, headSha }: PullRequest,
): Promise<RootsFound> {
  if (names.length > 0) {
    const found = await findIn(call, { repository, policy, sha: headSha, names });
    if (found.kind === 'unknown') return { kind: 'refused', sentences: [found.sentence] };
    return found.kind === 'problems' ? broken(found) : found;
  }
  const range = { kind: 'pull-request', base: baseSha, head: headSha } as const;
  const found = await discoverIn(call, { repository, policy, range });
  if (found.kind === 'problems') return broken(found);
  if (found.modified.length === 0) return { kind: 'refused', sentences: [NONE_MODIFIED] };
  return { kind: 'roots', roots: found.modified.map(({ root }) => root) };
}

function broken({ file, problems }: Problems): RootsFound {
  return { kind: 'refused', sentences: problems.map((problem) => formatProblem(problem, file)) };
}
