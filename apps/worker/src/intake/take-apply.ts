/** `apply`: the head of a pull request, to the lanes of its roots. */
import type { CommentEvent, Deployment, DeploymentRequest, IntakeResult, Repository, Root } from '@nereid/contracts';
import type { PullRequest } from '@nereid/github';
import { checkRunLinks } from '../lane/check-run-links.ts';
import { deployRoots } from './deploy-modified.ts';
import type { IntakeCall } from './intake-call.ts';
import { listNames } from './list-names.ts';
import { acceptedText, type NamedRoot } from './replies.ts';
import { accept, reply } from './reply-to-comment.ts';
import { refused } from './results.ts';
import { describeStatus, outlookOf } from './under-way.ts';

/** Roots to which this head is under way are left alone. */
export async function applyHead(
  call: IntakeCall,
  event: CommentEvent,
  force: boolean,
  roots: readonly Root[],
  { headSha, headBranch, number }: PullRequest,
): Promise<IntakeResult> {
  const { repository, sender } = event;
  const wanted: Root[] = [];
  const queued: NamedRoot[] = [];
  const underWay: NamedRoot[] = [];
  for (const root of roots) {
    const { name } = root;
    const found = await outlookOf(call, repository, name, headSha);
    if (found.underWay) underWay.push({ name, note: `it ${linkTo(call, repository, found.underWay)}` });
    else {
      wanted.push(root);
      queued.push({ name, ...(found.running && { note: behind(call, repository, found.running) }) });
    }
  }
  const others = { lead: 'Under way already', roots: underWay };
  if (wanted.length === 0) {
    await reply(call, event, acceptedText(others));
    return refused(`under way already: ${listNames(underWay.map(({ name }) => name))}`);
  }
  const why: Omit<DeploymentRequest, 'requestId' | 'root' | 'revision'> = {
    trigger: 'manual',
    rerun: false,
    force,
    requestedBy: sender,
    pullRequest: number,
  };
  const workflows = await deployRoots(call, { repository, sha: headSha, branch: headBranch, why }, wanted);
  return accept(call, event, { lead: 'Queued', roots: queued, others }, workflows);
}

function behind(call: IntakeCall, repository: Repository, running: Deployment): string {
  return `after \`${running.revision.sha.slice(0, 7)}\`, which ${linkTo(call, repository, running)}`;
}

function linkTo({ context }: IntakeCall, repository: Repository, deployment: Deployment): string {
  return `[${describeStatus(deployment)}](${checkRunLinks(context, repository, deployment).deploymentUrl})`;
}
