/** Does what a comment asks for, once nothing speaks against it, and says so. */
import {
  laneWorkflowId,
  type CommentEvent,
  type DeploymentRequest,
  type IntakeResult,
  type Root,
} from '@nereid/contracts';
import type { PullRequest } from '@nereid/github';
import { unlockLane } from '../lane/unlock-lane.ts';
import { cancelRunning } from './cancel-running.ts';
import type { RootCommand } from './comment-command.ts';
import { deployRoots } from './deploy-modified.ts';
import type { IntakeCall } from './intake-call.ts';
import { listNames } from './list-names.ts';
import { orTell } from './or-tell.ts';
import { acceptedText, type Accepted } from './replies.ts';
import { refuse, reply } from './reply-to-comment.ts';
import { signalled } from './results.ts';

export async function carryOut(
  call: IntakeCall,
  event: CommentEvent,
  command: RootCommand,
  roots: readonly Root[],
  pullRequest: PullRequest,
): Promise<IntakeResult> {
  const rootNames = roots.map(({ name }) => name);
  switch (command.kind) {
    case 'apply':
      return apply(call, event, command.force, roots, pullRequest);
    case 'unlock':
      return unlock(call, event, rootNames);
    case 'cancel':
      return cancel(call, event, rootNames);
  }
}

async function apply(
  call: IntakeCall,
  event: CommentEvent,
  force: boolean,
  roots: readonly Root[],
  { headSha, headBranch, number }: PullRequest,
): Promise<IntakeResult> {
  const why = {
    trigger: 'manual',
    rerun: false,
    force,
    requestedBy: event.sender,
    pullRequest: number,
  } as const satisfies Partial<DeploymentRequest>;
  const request = { repository: event.repository, sha: headSha, branch: headBranch, why };
  const workflows = await deployRoots(call, request, roots);
  return accept(call, event, { lead: 'Queued', rootNames: roots.map(({ name }) => name) }, workflows);
}

async function unlock(call: IntakeCall, event: CommentEvent, rootNames: readonly string[]): Promise<IntakeResult> {
  const unlocked: string[] = [];
  for (const rootName of rootNames) {
    const message = { version: 1, requestId: `${call.delivery}:${rootName}`, by: event.sender } as const;
    const answer = await unlockLane(call.context, event.repository, rootName, message);
    if (answer.kind === 'unlocked') unlocked.push(rootName);
  }
  const others = { lead: 'Not locked', rootNames: rootNames.filter((rootName) => !unlocked.includes(rootName)) };
  if (unlocked.length === 0) return refuse(call, event, [`not locked: ${listNames(rootNames)}`]);
  const lanes = unlocked.map((rootName) => laneWorkflowId(event.repository, rootName));
  return accept(call, event, { lead: 'Unlocked', rootNames: unlocked, others }, lanes);
}

async function cancel(call: IntakeCall, event: CommentEvent, rootNames: readonly string[]): Promise<IntakeResult> {
  const cancelled = await cancelRunning(call, event.repository, rootNames);
  if (cancelled.rootNames.length === 0) {
    return refuse(call, event, [`nothing ran when this was asked: ${listNames(rootNames)}`]);
  }
  const others = { lead: 'Nothing ran', rootNames: cancelled.idle };
  const accepted = { lead: 'Cancelling what runs', rootNames: cancelled.rootNames, others };
  return accept(call, event, accepted, cancelled.deploymentIds);
}

/** What was signalled stays so, whatever becomes of the reply; another attempt signals and replies the same once more. */
async function accept(
  call: IntakeCall,
  event: CommentEvent,
  accepted: Accepted,
  workflows: readonly string[],
): Promise<IntakeResult> {
  const sentence = `${accepted.lead} for @${event.sender}`;
  const text = acceptedText(accepted, call.context.config.links.consoleUrl);
  return orTell(
    async () => {
      await reply(call, event, text);
      return signalled(sentence, workflows);
    },
    (why) => Promise.resolve(signalled(`${sentence}; the reply could not be written: ${why}`, workflows)),
  );
}
