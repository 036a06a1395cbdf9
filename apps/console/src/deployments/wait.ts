/** A sentence that says what a deployment waits for, as its check run does. A pure function. */
import { ACTIONS } from '@nereid/domain/actions';
import { readWaitAtGate, waitSentence, type WaitPart } from '@nereid/domain/deployment';
import { describeLock } from '@nereid/domain/lane';
import { linked } from '../fleet/lane-sentence.ts';
import { html, type Content, type Html } from '../platform/html/html.ts';
import { deploymentPath } from '../platform/html/paths.ts';
import { when } from '../platform/html/when.ts';
import type { DeploymentView } from './deployment-view.ts';

/** From the page `/deployments/<id>`. */
const TO_TOP = '../';

/** Whether a host has taken the plan is known of one that lasts. */
const OFFERED = 'The first host with a free slot plans it.';

/** Undefined when it does not wait. */
export function waitOf(view: DeploymentView): Html | undefined {
  const { progress, deployment, ahead, lock, review: awaited, unlocked } = view;
  const { status, reason, plan } = progress;
  if (status === 'preparing') return html`${reason ?? OFFERED}`;
  if (status === 'blocked') return reason === undefined ? undefined : withLinks(reason, view);
  const isRepeatable = deployment.trigger === 'merge' || deployment.rerun;
  const expiresAt = plan?.expiresAt;
  const parts = waitSentence({ status, reason, ahead, lock, unlocked, awaited, expiresAt, isRepeatable });
  if (parts === undefined) return undefined;
  const sentence = html`${parts.map((part) => contentOf(part, view))}`;
  return status === 'apply-outcome-unknown' ? html`${sentence} ${reason}` : sentence;
}

/** The deployments that the reason names lead to their pages, and a stop to the page on which people end it. */
function withLinks(reason: string, { progress: { waitsFor }, lane, stops }: DeploymentView): Html {
  const { gate, named = [] } = readWaitAtGate(waitsFor) ?? {};
  const links = named.map(({ rootName, deploymentId }) => ({
    text: rootName,
    path: deploymentPath(deploymentId, { ...lane, rootName }),
  }));
  const [count = '', ...holders] = reason.split(': ');
  const parts = holders.length === 0 ? [reason] : [`${count}: `, ...linked(holders.join(': '), links)];
  const toStops = gate === 'stop' && stops !== undefined && html`. <a href="${TO_TOP}stops">What is stopped</a>`;
  return html`${parts.map((part) => (typeof part === 'string' ? part : html`<a href="${TO_TOP}${part.path}">${part.text}</a>`))}${toStops}`;
}

function contentOf(part: WaitPart, { lane, lock, links }: DeploymentView): Content {
  if (typeof part === 'string') return part;
  switch (part.kind) {
    case 'lock':
      return lock && html`<a href="${TO_TOP}${deploymentPath(lock.deploymentId, lane)}">${describeLock(lock)}</a>`;
    case 'time':
      return when(part.at);
    case 'person':
      return `@${part.login}`;
    case 'action':
      return ACTIONS[part.action].label;
    case 'place':
      return html`, here or in the ${links.checkRun ? html`<a href="${links.checkRun}">check run</a>` : 'check run'}`;
    case 'reason':
      return part.reason;
  }
}
