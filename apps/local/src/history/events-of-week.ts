/** The audit trail of a week. Pure. */
import type { Deployment, DeploymentRecord } from '@nereid/domain/deployment';
import { deliveryWorkflowId } from '@nereid/domain/intake';
import type { PlanReview } from '@nereid/domain/plan';
import type { Repository } from '@nereid/domain/root';
import {
  auditEvent,
  auditEventOfEnd,
  reviewAuditEvent,
  userActionAuditEvent,
  type TrailEvent,
} from '@nereid/domain/trail';
import type { MadeUpDeployment } from './week.ts';

export interface TimedEvent {
  readonly at: string;
  readonly event: TrailEvent;
}

/** The events of one deployment, of which `made` and `record` tell. */
export function eventsOf(made: MadeUpDeployment, { repository, deployment }: DeploymentRecord): readonly TimedEvent[] {
  const { review, jobs } = deployment.progress;
  const apply = jobs.apply;
  const end = auditEventOfEnd(repository, deployment);
  return [
    ...askedFor(made, repository, deployment),
    ...(made.refused ? [refusalOf(made, repository, deployment, made.refused)] : []),
    ...(review
      ? [{ at: review.at, event: reviewAuditEvent(repository, deployment, reviewOf(deployment, review)) }]
      : []),
    ...(apply ? [{ at: apply.startedAt, event: auditEvent(repository, deployment, apply, 'RUNNING') }] : []),
    ...(end ? [{ at: made.endedAt, event: end }] : []),
  ];
}

/** A merge is no request of a person to us. */
function askedFor(made: MadeUpDeployment, repository: Repository, deployment: Deployment): readonly TimedEvent[] {
  if (made.trigger === 'merge') return [];
  const { root, revision, pullRequest, requestedBy, receivedAt } = deployment;
  const [delivery = ''] = made.requestId.split(':');
  const about = { rootName: root.name, revision: revision.sha, ...(pullRequest !== undefined && { pullRequest }) };
  const action = made.rerun ? 'rerun' : 'apply';
  const who = { requestId: made.requestId, repository, by: requestedBy, at: receivedAt };
  const event = userActionAuditEvent({ ...who, ...about, action, workflowId: deliveryWorkflowId(delivery) }, undefined);
  return [{ at: receivedAt, event }];
}

function refusalOf(
  { id }: MadeUpDeployment,
  repository: Repository,
  deployment: Deployment,
  { by, at }: NonNullable<MadeUpDeployment['refused']>,
): TimedEvent {
  const press = { ...reviewOf(deployment, { answer: 'approved', by, at }), requestId: `${id}:${by}` };
  const sentence = `@${by} may not confirm this: it takes write permission on the repository, @${by} has read; ask somebody who has it`;
  return { at, event: reviewAuditEvent(repository, deployment, press, sentence) };
}

function reviewOf(
  { id, progress: { plan } }: Deployment,
  { answer, by, at }: Pick<PlanReview, 'answer' | 'by' | 'at'>,
): PlanReview {
  return {
    version: 1,
    requestId: `${id}:review`,
    deploymentId: id,
    answer,
    digest: plan?.made.body.digest ?? '',
    by,
    at,
  };
}
