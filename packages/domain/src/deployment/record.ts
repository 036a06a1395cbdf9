import { z } from 'zod';
import { repositoryParts } from '../root/record.ts';
import type { Repository } from '../root/repository.ts';
import { partsOf, type Stored } from '../stored.ts';
import type { AppliedCounts, EndedApply } from './job/apply-outcome.ts';
import type { CheckRunRef } from './check-run.ts';
import { LOCK_KINDS, type Lock } from './lock.ts';
import type { Carrier, Deployment } from './model.ts';
import type { Signed } from '../signed.ts';
import type { Progress } from './progress.ts';
import type { Redaction } from './redaction.ts';
import { TRIGGERS, type Trigger } from './request.ts';
import type { Revision } from './revision.ts';
import { DEPLOYMENT_STATUSES, ENDED_STATUSES, type EndedStatus } from './status.ts';

const text = z.string().min(1);

const times = z.partialRecord(z.enum(DEPLOYMENT_STATUSES), text);

const job = z.object({ id: text }).optional();

/** An envelope as it came: whoever shows it opens it. */
export function envelopeOf<Parts extends z.ZodRawShape>(body: Parts) {
  return z.object({ body: z.object(body), signature: text });
}

export const lockParts = partsOf<Lock>()(
  z.object({
    kind: z.enum(LOCK_KINDS),
    deploymentId: text,
    revision: text,
    by: z.string(),
    byId: z.number().optional(),
    at: text,
  }),
);

export const checkRunParts = partsOf<CheckRunRef>()(z.object({ id: z.number(), completed: z.boolean() }));

export const deploymentParts = partsOf<Deployment>()(
  z.object({
    id: text,
    requestId: text,
    root: z.object({ name: text, dir: text }),
    revision: z.object({ sha: text, branch: text, position: z.number() }),
    trigger: z.enum(TRIGGERS),
    rerun: z.boolean(),
    force: z.boolean(),
    requestedBy: z.string(),
    receivedAt: text,
    progress: z.object({ status: z.enum(DEPLOYMENT_STATUSES), times, jobs: z.object({ plan: job, apply: job }) }),
    checkRuns: z.array(checkRunParts),
    foundLock: lockParts.optional(),
    cancellation: envelopeOf({ by: z.string(), askedAt: text }).optional(),
    carrier: z.object({ deploymentId: text, revision: text }).optional(),
  }),
);

/** A deployment that ended, as it is stored once and for all. */
export interface DeploymentRecord {
  readonly version: 1;
  readonly repository: Repository;
  readonly deployment: Deployment;
  /** ISO 8601. */
  readonly endedAt: string;
  /** Present once a person was forgotten in it; the last one. */
  readonly redacted?: Signed<Redaction>;
}

export const deploymentRecord = partsOf<DeploymentRecord>()(
  z.object({
    repository: repositoryParts,
    deployment: deploymentParts,
    endedAt: z.iso.datetime(),
    redacted: envelopeOf({ deploymentId: text, pseudonym: text }).optional(),
  }),
);

const appliedParts = partsOf<AppliedCounts>()(
  z.object({ added: z.number(), changed: z.number(), destroyed: z.number(), imported: z.number() }),
);

/** The facts about an ended deployment that lists and sums need. Its record in storage has everything. */
export interface EndedDeployment {
  readonly version: 1;
  readonly id: string;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  readonly rootName: string;
  readonly revision: Revision;
  readonly trigger: Trigger;
  readonly rerun: boolean;
  /** Login on the forge. */
  readonly requestedBy: string;
  readonly pullRequest?: number;
  readonly status: EndedStatus;
  readonly carrier?: Carrier;
  /** ISO 8601, like all times here. */
  readonly receivedAt: string;
  readonly times: Progress['times'];
  readonly endedAt: string;
  /** Absent when there was no plan. */
  readonly hasChanges?: boolean;
  /** Absent when nothing was applied. */
  readonly applied?: AppliedCounts;
  /** Login on the forge. */
  readonly reviewedBy?: string;
}

export const endedDeployment = partsOf<EndedDeployment>()(
  z.object({
    version: z.literal(1),
    id: text,
    repository: z.object({ owner: text, name: text }),
    rootName: text,
    revision: z.object({ sha: text, branch: text }),
    trigger: z.enum(TRIGGERS),
    requestedBy: z.string(),
    status: z.enum(ENDED_STATUSES),
    carrier: z.object({ deploymentId: text, revision: text }).optional(),
    receivedAt: text,
    times,
    endedAt: text,
    applied: appliedParts.optional(),
  }),
);

const endedApply = partsOf<EndedApply>()(
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('applied'),
      counts: appliedParts,
    }),
    z.object({
      kind: z.literal('failed'),
      failure: z.object({ body: z.object({ summary: z.string(), lines: z.array(z.string()) }) }),
    }),
    z.object({ kind: z.literal('unknown'), why: z.string() }),
  ]),
);

/**
 * Marks that an apply of a deployment began on a host. A host that finds the marker must not plan or apply again. So it stays
 * as long as the order of the deployment is believed, which is for good.
 */
export const begunApply = z.object({
  version: z.literal(1),
  hostId: text,
  jobId: text,
  /** ISO 8601, by the clock of the host. */
  at: z.iso.datetime(),
  /** How the apply ended; absent while that is not known. */
  outcome: endedApply.exactOptional(),
  /** ISO 8601; present with the outcome. */
  endedAt: z.iso.datetime().exactOptional(),
  /** The deployment that had its turn instead, or a word for what a person did: nothing was applied, and nothing will be. */
  overtakenBy: text.exactOptional(),
});
export type BegunApply = Omit<Stored<typeof begunApply>, 'outcome'> & { readonly outcome?: EndedApply };
