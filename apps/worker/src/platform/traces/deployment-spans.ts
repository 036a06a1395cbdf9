/** The spans of a deployment, once it has ended: its time in the lane, its plan, its review and its apply. */
import { defined } from '@nereid/domain/defined';
import type { Deployment, EndedStatus } from '@nereid/domain/deployment';
import type { DeploymentEnded, DeploymentWaits } from '@nereid/domain/events';
import type { Job } from '@nereid/domain/host';
import type { Repository } from '@nereid/domain/root';
import { traceIdOf, type SpanSubject } from '@nereid/process';
import { hasFailed, RESULTS, revisionAttributes } from './attributes.ts';
import { MERGE, type EndedSpan } from './span.ts';

export function deploymentSpans(event: DeploymentEnded, pageUrl: string | undefined): readonly EndedSpan[] {
  const { repository, deployment, status, since } = event;
  const { root, revision, pullRequest, trigger, progress } = deployment;
  const { traceId, subject, id } = subjectsOf(repository, deployment);
  const startMs = Date.parse(deployment.receivedAt);
  const endMs = Math.max(Date.parse(since), startMs);
  const attributes = {
    ...revisionAttributes(repository, revision),
    'cicd.pipeline.name': root.name,
    'cicd.pipeline.run.id': id,
    'cicd.pipeline.action.name': 'RUN',
    'cicd.pipeline.result': RESULTS[status],
    ...defined({
      'cicd.pipeline.run.url.full': pageUrl,
      'vcs.change.id': pullRequest === undefined ? undefined : String(pullRequest),
      'cicd.worker.id': progress.hostId,
    }),
  };
  const within = (name: string, span: Pick<EndedSpan, 'startMs' | 'endMs'> & Partial<EndedSpan>): EndedSpan => ({
    traceId,
    subject: { about: id, name },
    parent: subject,
    attributes: { 'cicd.pipeline.run.id': id },
    ...span,
  });
  const begunMs = earliestOf([progress.times.preparing, progress.times.planning]) ?? endMs;
  const { plan, apply } = progress.jobs;
  const ofPlan = progress.plan === undefined ? status : 'succeeded';
  return [
    {
      ...{ traceId, subject, startMs, endMs, attributes, hasFailed: hasFailed(status) },
      // What was deployed by hand has no merge.
      ...(trigger === 'merge' && { parent: MERGE }),
    },
    within('lane', { startMs, endMs: Math.max(begunMs, startMs) }),
    ...taskSpans('plan', plan, { status: ofPlan, endMs }, within),
    ...reviewSpans(deployment, endMs, within),
    ...taskSpans('apply', apply, { status, endMs }, within),
  ];
}

/** The wait of a deployment until something else happened to it. */
export function waitSpan(
  { repository, deployment, reason }: DeploymentWaits,
  { startMs, endMs }: Pick<EndedSpan, 'startMs' | 'endMs'>,
): EndedSpan {
  const { traceId, subject, id } = subjectsOf(repository, deployment);
  return {
    traceId,
    subject: { about: id, name: `wait for ${reason} since ${startMs}` },
    parent: subject,
    startMs,
    endMs: Math.max(endMs, startMs),
    attributes: { 'cicd.pipeline.run.id': id, 'cicd.pipeline.run.state': 'pending', 'nereid.wait.gate': reason },
  };
}

/** The span of a task, to which Terraform adds its own. */
export function taskSubject(deploymentId: string, phase: 'plan' | 'apply'): SpanSubject {
  return { about: deploymentId, name: phase };
}

function subjectsOf(repository: Pick<Repository, 'owner' | 'name'>, { id, revision }: Deployment) {
  return { traceId: traceIdOf(repository, revision.sha), subject: { about: id, name: 'deployment' }, id };
}

type Within = (name: string, span: Pick<EndedSpan, 'startMs' | 'endMs'> & Partial<EndedSpan>) => EndedSpan;

/** `endMs`: of the deployment. A host that was lost has not said when its job ended. */
function taskSpans(
  phase: 'plan' | 'apply',
  job: Job | undefined,
  { status, endMs }: { readonly status: EndedStatus; readonly endMs: number },
  within: Within,
): readonly EndedSpan[] {
  if (job === undefined) return [];
  const startMs = Date.parse(job.startedAt);
  const attributes = {
    'cicd.pipeline.task.name': phase,
    'cicd.pipeline.task.run.id': job.id,
    'cicd.pipeline.task.run.result': RESULTS[status],
    ...(phase === 'apply' && { 'cicd.pipeline.task.type': 'deploy' }),
  };
  const jobEndMs = job.endedAt === undefined ? endMs : Date.parse(job.endedAt);
  return [within(phase, { startMs, endMs: Math.max(jobEndMs, startMs), attributes, hasFailed: hasFailed(status) })];
}

/** From its plan to the last answer, or to what came in place of one. */
function reviewSpans({ progress }: Deployment, endedMs: number, within: Within): readonly EndedSpan[] {
  const { times, review } = progress;
  const asked = times['awaiting-review'];
  if (asked === undefined) return [];
  const startMs = Date.parse(asked);
  const endMs = Math.max(review === undefined ? endedMs : Date.parse(review.at), startMs);
  const attributes = { 'cicd.pipeline.run.state': 'pending', 'nereid.wait.gate': 'review' };
  return [within('review', { startMs, endMs, attributes })];
}

function earliestOf(times: readonly (string | undefined)[]): number | undefined {
  const found = times.flatMap((each) => (each === undefined ? [] : [Date.parse(each)]));
  return found.length === 0 ? undefined : Math.min(...found);
}
