/** One run of Terraform operations with one log. */
export interface Job {
  /** As `jobIdOf` makes it; the key of its log. */
  readonly id: string;
  readonly startedAt: string;
  readonly endedAt?: string;
}

/** The phase that runs in a job. */
export type JobPhase = 'plan' | 'apply' | 'unlock' | 'check';

/** `<deployment id>-plan-2`: the second job of this phase. */
export function jobIdOf(deploymentId: string, phase: JobPhase, number: number): string {
  return `${prefixOf(deploymentId, phase)}${number}`;
}

/** Whether this is the id of a job of this deployment and phase. */
export function isJobOf(deploymentId: string, phase: JobPhase, jobId: string): boolean {
  const prefix = prefixOf(deploymentId, phase);
  return jobId.startsWith(prefix) && NUMBER.test(jobId.slice(prefix.length));
}

/** A deployment has a few jobs of each phase: those that fail or do not begin are tried again for some minutes. */
const NUMBER = /^[1-9]\d{0,2}$/;

function prefixOf(deploymentId: string, phase: JobPhase): string {
  return `${deploymentId}-${phase}-`;
}

/** Whether this is a UUID in lower case, as every deployment has one. */
export function isUuid(id: string): boolean {
  return UUID.test(id);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
