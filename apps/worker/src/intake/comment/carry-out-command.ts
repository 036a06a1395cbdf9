/** Carries out the command of a comment after all checks, and replies. */
import type { CommentEvent, IntakeResult } from '@nereid/domain/intake';
import type { Root } from '@nereid/domain/root';
import { uncapitalised } from '@nereid/domain/words';
import type { PullRequest } from '@nereid/forge';
import type { LaneEffect } from '../../actions/action.ts';
import { LANE_ACTIONS } from '../../actions/lane-actions.ts';
import { checkRunLinks } from '../../lane/show/check-run-links.ts';
import { cancelDeployments } from './cancel-deployments.ts';
import type { LaneCommand } from './comment-command.ts';
import type { IntakeCall } from '../intake-call.ts';
import { listNames } from '../../platform/list-names.ts';
import { accept, refuse } from './reply-to-comment.ts';
import { describeDeployment } from './describe-deployment.ts';
import { applyHead } from './apply-head.ts';

export async function carryOut(
  call: IntakeCall,
  event: CommentEvent,
  command: LaneCommand,
  roots: readonly Root[],
  pullRequest: PullRequest,
): Promise<IntakeResult> {
  const rootNames = roots.map(({ name }) => name);
  switch (command.action) {
    case 'apply':
    case 'apply_force':
      return applyHead(call, event, { pullRequest, roots, force: command.action === 'apply_force' });
    case 'cancel':
      return cancelInRoots(call, event, rootNames);
    default:
      return actOnLanes(call, event, LANE_ACTIONS[command.action], rootNames);
  }
}

async function actOnLanes(
  call: IntakeCall,
  event: CommentEvent,
  { perform, reply }: LaneEffect,
  rootNames: readonly string[],
): Promise<IntakeResult> {
  const lanes = new Map<string, string>();
  for (const rootName of rootNames) {
    const answer = await perform(call, event, { repository: event.repository, rootName });
    if (answer.kind === 'done') lanes.set(rootName, answer.workflow);
  }
  const undone = uncapitalised(reply.undone);
  if (lanes.size === 0) return refuse(call, event, [`${undone}: ${listNames(rootNames)}`], { rootNames });
  const others = rootNames.filter((rootName) => !lanes.has(rootName));
  if (others.length > 0) call.userActions.refused({ rootNames: others }, undone);
  const done = [...lanes.keys()];
  call.userActions.accepted({ rootNames: done });
  const accepted = { lead: reply.done, roots: named(done), others: { lead: reply.undone, roots: named(others) } };
  return accept(call, event, accepted, [...lanes.values()]);
}

async function cancelInRoots(
  call: IntakeCall,
  event: CommentEvent,
  rootNames: readonly string[],
): Promise<IntakeResult> {
  const { repository, pullRequest } = event;
  const { deployments, idle } = await cancelDeployments(call, event, { repository, rootNames, pullRequest });
  if (deployments.length === 0) {
    return refuse(call, event, [`${NOTHING_THERE}: ${listNames(rootNames)}`], { rootNames });
  }
  if (idle.length > 0) call.userActions.refused({ rootNames: idle }, NOTHING_THERE);
  for (const {
    deployment: { id, root, revision },
  } of deployments) {
    call.userActions.accepted({ rootNames: [root.name], deploymentId: id, revision: revision.sha });
  }
  const linksOf = await checkRunLinks(call.context, repository);
  const roots = deployments.map(({ deployment, isStopping }) => ({
    name: deployment.root.name,
    note: `${describeDeployment(linksOf, deployment)}: ${isStopping ? STOPPING : NEVER_APPLIED}`,
  }));
  const ids = deployments.map(({ deployment }) => deployment.id);
  const others = { lead: 'Nothing ran', roots: named(idle) };
  return accept(call, event, { lead: 'Cancelling', roots, others, followedIn: 'these commits' }, ids);
}

/** It may have begun after its progress was asked for. */
const STOPPING = 'its apply has begun, and Terraform is asked to stop';
const NEVER_APPLIED = 'nothing of it will be applied';

const NOTHING_THERE = 'nothing ran when this was asked, and nothing of this pull request waited';

function named(rootNames: readonly string[]) {
  return rootNames.map((name) => ({ name }));
}
