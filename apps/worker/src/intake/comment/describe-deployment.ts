/** Describes a deployment in a reply: its revision shows whose it may be, and its status links to its page. Markdown. */
import { shortSha, type Deployment } from '@nereid/domain/deployment';
import type { LinksOf } from '../../lane/show/check-run-links.ts';
import { describeStatus } from '../under-way.ts';

/** `abc1234, which waits for a review of its plan`. */
export function describeDeployment(linksOf: LinksOf, deployment: Deployment): string {
  return `\`${shortSha(deployment.revision.sha)}\`, which ${linkToStatus(linksOf, deployment)}`;
}

/** Its status, linked to its page. */
export function linkToStatus(linksOf: LinksOf, deployment: Deployment): string {
  return `[${describeStatus(deployment)}](${linksOf(deployment).deploymentUrl})`;
}
