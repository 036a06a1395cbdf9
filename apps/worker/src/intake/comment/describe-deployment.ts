/** Describes a deployment in a reply: its revision shows whose it may be, and its status links to its page. Markdown. */
import { shortSha, type Deployment, type Repository } from '@nereid/contracts';
import { checkRunLinks } from '../../lane/show/check-run-links.ts';
import type { IntakeCall } from '../intake-call.ts';
import { describeStatus } from '../under-way.ts';

/** `abc1234, which waits for a review of its plan`. */
export function describeDeployment(call: IntakeCall, repository: Repository, deployment: Deployment): string {
  return `\`${shortSha(deployment.revision.sha)}\`, which ${linkToStatus(call, repository, deployment)}`;
}

/** Its status, linked to its page. */
export function linkToStatus({ context }: IntakeCall, repository: Repository, deployment: Deployment): string {
  return `[${describeStatus(deployment)}](${checkRunLinks(context, repository, deployment).deploymentUrl})`;
}
