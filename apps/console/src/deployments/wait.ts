/** A sentence that says what a deployment waits for. A pure function. */
import { describeLock } from '@nereid/domain/lane';
import { html, type Html } from '../platform/html/html.ts';
import { deploymentPath } from '../platform/html/paths.ts';
import { when } from '../platform/html/when.ts';
import type { DeploymentView } from './deployment-view.ts';

/** From the page `/deployments/<id>`. */
const TO_TOP = '../';

/** Undefined when it does not wait. */
export function waitOf({
  lane,
  progress,
  ahead,
  lock,
  review = 'a review',
  unlocked,
  links,
}: DeploymentView): Html | undefined {
  const { status, reason, plan } = progress;
  const place = (text: string): Html =>
    links.checkRun ? html`<a href="${links.checkRun}">${text}</a>` : html`${text}`;
  switch (status) {
    case 'queued':
      if (lock)
        return html`Locked by <a href="${TO_TOP}${deploymentPath(lock.deploymentId, lane)}">${describeLock(lock)}</a>,
          ${when(lock.at)}. Unlock lets it go on, here or in the ${place('check run')}.`;
      if (reason !== undefined) return html`This deployment ${reason}. It starts by itself once that is done.`;
      if (ahead === undefined || ahead === 0) return html`Next in its lane.`;
      return html`${ahead === 1 ? 'One deployment goes' : `${ahead} deployments go`} first in this lane.`;
    case 'awaiting-review':
      return html`Waiting for ${review}, here or in the
      ${place('check run')}${plan?.expiresAt !== undefined && html`; this ends ${when(plan.expiresAt)}`}.`;
    case 'apply-outcome-unknown':
      if (unlocked) return html`${unlocked.body.by} unlocked the lane, ${when(unlocked.body.askedAt)}. ${reason}`;
      return html`The lane waits until a person has looked at the resources and unlocks it, here or in the
      ${place('check run')}. ${reason}`;
    case 'blocked':
    case 'preparing':
      return reason === undefined ? undefined : html`${reason}`;
    case 'planning':
    case 'applying':
    case 'succeeded':
    case 'no-changes':
    case 'planned':
    case 'plan-failed':
    case 'rejected':
    case 'expired':
    case 'apply-failed':
    case 'cancelled':
    case 'skipped':
    case 'refused':
    case 'host-lost':
      return undefined;
  }
}
