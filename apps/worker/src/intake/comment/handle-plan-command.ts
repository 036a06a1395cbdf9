/** `nereid plan`: has the pull request planned again, also a draft. */
import { formatProblem, type RepositoryPolicy } from '@nereid/config';
import type { CommentEvent, IntakeResult } from '@nereid/domain/intake';
import type { Repository, Root } from '@nereid/domain/root';
import type { PullRequest } from '@nereid/forge';
import { whyNotPlanned } from '../../actions/plan.ts';
import { askAgain } from '../../pull-request/ask-again.ts';
import { tooManyPlanned } from '../../pull-request/eligibility/too-many-planned.ts';
import { isForBase } from '../../pull-request/make-look.ts';
import { ROOTS_LIMIT } from '../../pull-request/roots/find-wanted-roots.ts';
import { askPatiently, pullRequestUnavailable } from '../../person/ask-patiently.ts';
import { broughtBy } from '../../person/contributors.ts';
import type { IntakeCall } from '../intake-call.ts';
import { askerOf, decide } from '../../person/permission.ts';
import { discoverIn, findIn } from '../../root/discover.ts';
import { NONE_MODIFIED } from './replies.ts';
import { accept, refuse } from './reply-to-comment.ts';
import { movedSince, seenTooLate } from './commented-head.ts';

export async function handlePlanCommand(
  call: IntakeCall,
  event: CommentEvent,
  policy: RepositoryPolicy,
  rootNames: readonly string[],
): Promise<IntakeResult> {
  const { repository, pullRequest: number, sender: by } = event;
  const no = (sentences: readonly string[]) => refuse(call, event, sentences, { rootNames });
  if (policy.pullRequests === 'off')
    return no(['pull requests of this repository are not planned: its operators can turn that on']);
  const question = { repository, policy, root: undefined, action: 'plan', brought: () => broughtBy('') } as const;
  const decision = await decide(call, { ...question, ...askerOf(event) });
  if (decision.kind === 'no') return no([decision.sentence]);

  const read = () => call.context.forge.pullRequests.get(repository, number);
  const pullRequest = await askPatiently(call, read, undefined);
  if (!pullRequest) return no([pullRequestUnavailable(call.context)]);
  const { headSha, state, fromFork, baseBranch } = pullRequest;
  if (state === 'closed') return no(['this pull request is closed']);
  if (!isForBase(policy, pullRequest))
    return no([`this pull request is to be merged into ${baseBranch}, which is not the branch that is deployed`]);
  if (fromFork && policy.forkPlans === 'never')
    return no(['this pull request comes from a fork, and plans run its code']);
  // Before any of its code is read.
  const moved = fromFork ? await seenTooLate(call, event, pullRequest) : await movedSince(call, event, pullRequest);
  if (moved.length > 0) return no(moved);
  const range = { kind: 'pull-request', base: pullRequest.baseSha, head: headSha } as const;
  const found = await discoverIn(call, { repository, policy, range });
  if (found.kind === 'problems') return no(found.problems.map((problem) => formatProblem(problem, found.file)));
  const modified = found.modified.map(({ root }) => root.name);
  const touched = [...modified, ...found.deleted.slice(0, ROOTS_LIMIT)];
  if (touched.length === 0 && rootNames.length === 0) return no([NONE_MODIFIED]);
  if (rootNames.length === 0 && modified.length > ROOTS_LIMIT)
    return no([`this pull request modifies ${modified.length} roots: name up to ${ROOTS_LIMIT}`]);
  const strangers = rootNames.filter((name) => !touched.includes(name));
  const isAsked = (name: string) => rootNames.length === 0 || rootNames.includes(name);
  const removed = found.deleted.slice(0, ROOTS_LIMIT).filter(isAsked);
  const named = await findNamed(call, { repository, policy, pullRequest, names: [...strangers, ...removed] });
  if (named.kind === 'unknown') return no(named.sentences);
  const denials = await whyNotPlanned(call, event, {
    ...{ repository, policy, headSha },
    roots: [...found.modified.map(({ root }) => root).filter(({ name }) => isAsked(name)), ...named.roots],
  });
  if (denials.length > 0) return no(denials);
  const [commentName] = call.context.server.current().commentNames;
  const full = await tooManyPlanned(call.context, repository, pullRequest, commentName);
  if (full) return no([full.title]);

  call.userActions.accepted({ rootNames, revision: headSha });
  const request = { requestId: call.delivery, headSha, rootNames, by, at: call.askedAt };
  const workflow = await askAgain(call.context, repository, number, request);
  const planned = rootNames.length > 0 ? rootNames : touched;
  return accept(call, event, { lead: 'Planning', roots: planned.map((name) => ({ name })) }, [workflow]);
}

interface Strangers {
  readonly repository: Repository;
  readonly policy: RepositoryPolicy;
  readonly pullRequest: PullRequest;
  readonly names: readonly string[];
}

type Named =
  | { readonly kind: 'roots'; readonly roots: readonly Root[] }
  | { readonly kind: 'unknown'; readonly sentences: readonly string[] };

/** A person who names a root wants its plan, whatever the pull request modifies. */
async function findNamed(call: IntakeCall, { repository, policy, pullRequest, names }: Strangers): Promise<Named> {
  const { baseSha, headSha } = pullRequest;
  if (names.length === 0) return { kind: 'roots', roots: [] };
  const atHead = await findIn(call, { repository, policy, sha: headSha, names });
  if (atHead.kind === 'roots') return atHead;
  if (atHead.kind === 'problems')
    return { kind: 'unknown', sentences: atHead.problems.map((problem) => formatProblem(problem, atHead.file)) };
  // A branch that is behind lacks roots that its merge has, and one that removes a root has it at its base.
  const atBase = await findIn(call, { repository, policy, sha: baseSha, names: atHead.names });
  if (atBase.kind !== 'roots') return { kind: 'unknown', sentences: [atHead.sentence] };
  const others = names.filter((name) => !atHead.names.includes(name));
  const rest = await findNamed(call, { repository, policy, pullRequest, names: others });
  return rest.kind === 'roots' ? { kind: 'roots', roots: [...rest.roots, ...atBase.roots] } : rest;
}
