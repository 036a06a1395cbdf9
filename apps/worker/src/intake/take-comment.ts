/** A command in a comment on a pull request. */
import { policyFor, type RepositoryPolicy } from '@nereid/config';
import {
  fullName,
  laneWorkflowId,
  type Action,
  type CommentEvent,
  type IntakeResult,
  type Root,
} from '@nereid/contracts';
import { findRoots } from '@nereid/discovery';
import type { PullRequest } from '@nereid/github';
import { cancelRunning } from './cancel-running.ts';
import { parseComment, type CommentCommand } from './comment-command.ts';
import { deployRoots, discoverIn } from './deploy-modified.ts';
import { defaultBranch } from './github-reads.ts';
import type { IntakeCall } from './intake-call.ts';
import { unlockLane } from '../lane/unlock-lane.ts';
import { decide } from './permission.ts';
import { acceptedText, helpText, refusalText } from './replies.ts';
import { unmetRequirements } from './requirements.ts';
import { NOT_ALLOWED, refused, signalled } from './results.ts';

export async function takeComment(call: IntakeCall, event: CommentEvent): Promise<IntakeResult> {
  const server = call.context.server.current();
  const policy = policyFor(server, fullName(event.repository));
  if (!policy) return NOT_ALLOWED;

  const command = parseComment(event.line);
  switch (command.kind) {
    case 'help':
      return reply(call, event, helpText(server.commentName), 'the comment is answered with the commands');
    case 'plan':
      return reply(call, event, NO_PLANS, 'pull requests are not planned');
    default:
      return takeCommand(call, event, policy, command);
  }
}

const NO_PLANS = 'Pull requests are not planned by comments: `apply` plans, and asks for a review before it applies.';

type RootCommand = Exclude<CommentCommand, { kind: 'help' | 'plan' }>;

async function takeCommand(
  call: IntakeCall,
  event: CommentEvent,
  policy: RepositoryPolicy,
  command: RootCommand,
): Promise<IntakeResult> {
  // Nothing is fetched or read for somebody who may not do it to any root.
  const { repository, sender } = event;
  const action = actionOf(command);
  const anybody = await decide(call, { repository, policy, rootName: undefined, action, login: sender, sha: '' });
  if (anybody.kind === 'no') return refuse(call, event, [anybody.sentence]);

  const pullRequest = await call.context.github.pullRequests.get(event.repository, event.pullRequest);
  const unmet = command.kind === 'apply' ? await unmetBy(call, event, policy, pullRequest, command.force) : [];
  if (unmet.length > 0) return refuse(call, event, unmet);

  const found = await rootsOf(call, event, policy, command.rootNames, pullRequest);
  if (found.kind === 'refused') return refuse(call, event, found.sentences);
  const denials = await denialsOf(call, event, policy, command, found.roots, pullRequest.headSha);
  if (denials.length > 0) return refuse(call, event, denials);
  return carryOut(call, event, command, found.roots, pullRequest);
}

async function unmetBy(
  call: IntakeCall,
  { repository }: CommentEvent,
  policy: RepositoryPolicy,
  pullRequest: PullRequest,
  force: boolean,
): Promise<readonly string[]> {
  return unmetRequirements(pullRequest, policy.branch ?? (await defaultBranch(call, repository)), force);
}

type RootsFound =
  | { readonly kind: 'roots'; readonly roots: readonly Root[] }
  | { readonly kind: 'refused'; readonly sentences: readonly string[] };

/** Those named, or those that the pull request modifies. */
async function rootsOf(
  call: IntakeCall,
  { repository }: CommentEvent,
  policy: RepositoryPolicy,
  names: readonly string[],
  { baseSha, headSha }: PullRequest,
): Promise<RootsFound> {
  const { mirrors, parsed } = call.context;
  if (names.length > 0) {
    const found = await findRoots({ names, tree: mirrors.tree(repository, headSha, call.signal), policy, parsed });
    if (found.kind === 'unknown') return { kind: 'refused', sentences: [found.sentence] };
    return found.kind === 'problems' ? broken(found.problems) : found;
  }
  const found = await discoverIn(call, {
    repository,
    policy,
    range: { kind: 'pull-request', base: baseSha, head: headSha },
  });
  if (found.kind === 'problems') return broken(found.problems);
  if (found.modified.length === 0)
    return { kind: 'refused', sentences: ['this pull request modifies no root: name one'] };
  return { kind: 'roots', roots: found.modified.map(({ root }) => root) };
}

function broken(problems: readonly { readonly path: string; readonly message: string }[]): RootsFound {
  const sentences = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return { kind: 'refused', sentences };
}

/** All of the roots or none: half of a command is what nobody asked for. */
async function denialsOf(
  call: IntakeCall,
  { repository, sender }: CommentEvent,
  policy: RepositoryPolicy,
  command: RootCommand,
  roots: readonly Root[],
  sha: string,
): Promise<readonly string[]> {
  const action = actionOf(command);
  const sentences = new Set<string>();
  for (const { name } of roots) {
    const decision = await decide(call, { repository, policy, rootName: name, action, login: sender, sha });
    if (decision.kind === 'no') sentences.add(decision.sentence);
  }
  return [...sentences];
}

function actionOf(command: RootCommand): Action {
  return command.kind === 'apply' && command.force ? 'apply_force' : command.kind;
}

async function carryOut(
  call: IntakeCall,
  event: CommentEvent,
  command: RootCommand,
  roots: readonly Root[],
  { headSha, headBranch, number }: PullRequest,
): Promise<IntakeResult> {
  const { repository, sender } = event;
  const names = roots.map(({ name }) => name);
  switch (command.kind) {
    case 'apply': {
      const why = {
        trigger: 'manual',
        rerun: false,
        force: command.force,
        requestedBy: sender,
        pullRequest: number,
      } as const;
      return accept(
        call,
        event,
        'Queued',
        names,
        await deployRoots(call, { repository, sha: headSha, branch: headBranch, why }, roots),
      );
    }
    case 'unlock':
      return unlock(call, event, names);
    case 'cancel': {
      const cancelled = await cancelRunning(call, repository, names);
      if (cancelled.length === 0) return refuse(call, event, ['nothing runs in these lanes']);
      return accept(call, event, 'Cancelling what runs', names, cancelled);
    }
  }
}

/** The lanes that are not locked are told apart only when none is. */
async function unlock(call: IntakeCall, event: CommentEvent, rootNames: readonly string[]): Promise<IntakeResult> {
  const unlocked: string[] = [];
  for (const rootName of rootNames) {
    const message = { version: 1, requestId: `${call.delivery}:${rootName}`, by: event.sender } as const;
    const answer = await unlockLane(call.context, event.repository, rootName, message);
    if (answer.kind === 'unlocked') unlocked.push(rootName);
  }
  if (unlocked.length === 0) return refuse(call, event, [`not locked: ${rootNames.join(', ')}`]);
  const lanes = unlocked.map((rootName) => laneWorkflowId(event.repository, rootName));
  return accept(call, event, 'Unlocked', unlocked, lanes);
}

/** The signals are sent, so a comment that fails takes nothing back and is not worth another attempt. */
async function accept(
  call: IntakeCall,
  { repository, pullRequest, sender }: CommentEvent,
  lead: string,
  rootNames: readonly string[],
  workflows: readonly string[],
): Promise<IntakeResult> {
  const { github, config, logger } = call.context;
  try {
    await github.pullRequests.comment(repository, pullRequest, acceptedText(lead, rootNames, config.links.consoleUrl));
  } catch (error) {
    logger.warn({ err: error, delivery: call.delivery }, 'a comment could not be written');
  }
  return signalled(`${lead} for @${sender}`, workflows);
}

function refuse(call: IntakeCall, event: CommentEvent, sentences: readonly string[]): Promise<IntakeResult> {
  return reply(call, event, refusalText('Nothing was done:', sentences), sentences.join('; ').slice(0, SENTENCE_LIMIT));
}

/** A line in the Temporal UI. */
const SENTENCE_LIMIT = 500;

async function reply(call: IntakeCall, event: CommentEvent, body: string, sentence: string): Promise<IntakeResult> {
  await call.context.github.pullRequests.comment(event.repository, event.pullRequest, body);
  return refused(sentence);
}
