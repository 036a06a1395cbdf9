/**
 * Events that a workflow gives to the audit trail. Anybody can give some, so each is rebuilt from what is signed or stored;
 * what nothing proves is left out, and counts as forged. That a job of an ordered deployment never began is believed, unless
 * its marker says something else.
 */
import { defined } from '@nereid/domain/defined';
import type { Deployment, BegunApply } from '@nereid/domain/deployment';
import { isJobOf, type Job } from '@nereid/domain/host';
import { poolOf, type Repository } from '@nereid/domain/root';
import {
  auditEvent,
  auditEventOfEnd,
  isJobAuditEvent,
  reviewAuditEvent,
  type AuditEvent,
  type JobAuditEvent,
} from '@nereid/domain/trail';
import type { WorkerContext } from '../../platform/context.ts';

export type ProofContext = Pick<WorkerContext, 'signatures' | 'begunApplies' | 'laneTurns'>;

interface About {
  readonly repository: Repository;
  /** It is verified, with its review and its end. */
  readonly deployment: Deployment;
  /** The job that gets permission to apply. */
  readonly job?: Job;
  /** An apply began before, in another job, so that this one will not. */
  readonly hasBegun?: boolean;
}

/** The events that are true, in their order, and at the end those that were left out although they have to be told. */
export async function provenAudits(
  context: ProofContext,
  about: About,
  events: readonly AuditEvent[],
): Promise<readonly AuditEvent[]> {
  const known = knownOf(about);
  const { job, deployment, hasBegun = false } = about;
  const isDue = job === undefined ? dueAtEnd(deployment) : () => !hasBegun;
  const given = new Set(events.map(({ id }) => id));
  const left = known.filter((event) => isDue(event) && !given.has(event.id));
  const proven = await Promise.all(
    events
      .filter((event) => !isUnknownEnd(about, event))
      .map(
        async (event) =>
          known.find(({ id }) => id === event.id) ?? (await provenByMarker(context, about, event, given)),
      ),
  );
  const end = await endOfUnknown(context, about);
  return [...proven.filter((event) => event !== undefined), ...left, ...(end ? [end] : [])];
}

function isUnknownEnd({ deployment: { progress } }: About, event: AuditEvent): boolean {
  return progress.status === 'apply-outcome-unknown' && event.id === `${progress.jobs.apply?.id}:UNKNOWN`;
}

/** What storage knows of an apply whose workflow does not know how it ended; undefined when the job was made up. */
async function endOfUnknown(
  { signatures, begunApplies, laneTurns }: ProofContext,
  { repository, deployment }: About,
): Promise<JobAuditEvent | undefined> {
  const { id, root, progress } = deployment;
  const job = progress.jobs.apply;
  if (progress.status !== 'apply-outcome-unknown' || job === undefined) return undefined;
  const marker = await begunApplies.of(poolOf(root)).read(id);
  if (marker !== undefined) return auditEvent(repository, deployment, job, stateOf(marker, job));
  const last = (await laneTurns.read(repository, root.name))?.last;
  if (last?.deployment.id === id && last.jobIds.includes(job.id))
    return auditEvent(repository, deployment, job, 'UNKNOWN');
  signatures.forged('result/outcome', 'an apply without permission, of which nobody is said to know the end', id);
  return undefined;
}

/** What the audit trail may have of an apply that never began. */
const NEVER_BEGAN: readonly JobAuditEvent['state'][] = ['RUNNING', 'FAILURE'];

/** A job that found the marker of another one never began. */
function stateOf({ jobId, overtakenBy, outcome }: BegunApply, job: Job): JobAuditEvent['state'] {
  if (overtakenBy !== undefined || jobId !== job.id) return 'FAILURE';
  return outcome === undefined ? 'UNKNOWN' : STATE[outcome.kind];
}

const STATE = { applied: 'SUCCESS', failed: 'FAILURE', unknown: 'UNKNOWN' } as const;

/** An approval was told with the start of its apply. */
function dueAtEnd({ progress }: Deployment): (event: AuditEvent) => boolean {
  return (event) => isJobAuditEvent(event) || progress.status === 'rejected';
}

/** The events that follow from the deployment itself. */
function knownOf({ repository, deployment, job }: About): readonly AuditEvent[] {
  const { review, approvals = [], overrides = [], proof, plan } = deployment.progress;
  // An approval from before the merge was told when somebody pressed the button.
  const press = plan?.beforeMerge && review?.answer === 'approved' ? undefined : review?.press;
  const others = approvals.filter(({ signature }) => signature !== press?.signature);
  const answers = [...others, ...(press ? [press] : [])];
  const end = auditEventOfEnd(repository, deployment);
  return [
    ...overrides.map((override) => reviewAuditEvent(repository, deployment, override.body)),
    ...answers.map((answer) => reviewAuditEvent(repository, deployment, answer.body)),
    ...(job ? [auditEvent(repository, deployment, job, 'RUNNING')] : []),
    // A failure that no host signed is one of an apply that never began, which its marker tells, like an unknown end.
    ...(end?.state === 'SUCCESS' || (end?.state === 'FAILURE' && proof !== undefined) ? [end] : []),
  ];
}

function isOfUnbegun({ id }: Deployment, event: AuditEvent, given: ReadonlySet<string>): event is JobAuditEvent {
  if (!isJobAuditEvent(event) || !isJobOf(id, 'apply', event.jobId)) return false;
  return given.has(`${event.jobId}:FAILURE`) && NEVER_BEGAN.includes(event.state);
}

/**
 * An apply that got permission and never began has left no marker. One that got none has its start told with its end: the answer may
 * have been lost of an earlier request, which had told the start.
 */
async function provenByMarker(
  { signatures, begunApplies }: ProofContext,
  { repository, deployment }: About,
  event: AuditEvent,
  given: ReadonlySet<string>,
): Promise<JobAuditEvent | undefined> {
  if (isOfUnbegun(deployment, event, given)) {
    const marker = await begunApplies.of(poolOf(deployment.root)).read(deployment.id);
    const { jobId: id, startedAt, endedAt, state } = event;
    const job = { id, startedAt, ...defined({ endedAt }) };
    // While a job may still begin, nobody but its host starts it: a start that was told before would hide the true one.
    if (marker === undefined && state === 'RUNNING') return undefined;
    const isBegun = marker !== undefined && marker.overtakenBy === undefined && marker.jobId === id;
    if (!isBegun) return auditEvent(repository, deployment, job, state);
  }
  signatures.forged('result/outcome', 'an event for the audit trail that nothing proves', deployment.id);
  return undefined;
}
