import { ENDED_STATUSES } from '@nereid/contracts';
import { z } from 'zod';
import {
  DeploymentId,
  FullName,
  listOf,
  Login,
  PullRequestNumber,
  RevisionSummary,
  RootName,
  Time,
  Wait,
} from './fields.ts';

export const DeploymentStatus = z
  .enum(['queued', 'blocked', 'preparing', 'planning', 'awaiting-review', 'applying', ...ENDED_STATUSES])
  .meta({ id: 'DeploymentStatus' });

/** How a status is shown: it decides the colour and the icon. */
export const Mood = z.enum(['waiting', 'working', 'good', 'bad', 'neutral']).meta({ id: 'Mood' });

/** The number of changes of a plan, by action. */
export const PlanCounts = z
  .object({
    digest: z.string(),
    hasChanges: z.boolean(),
    create: z.int(),
    update: z.int(),
    replace: z.int(),
    delete: z.int(),
    import: z.int(),
    move: z.int(),
    forget: z.int(),
  })
  .meta({ id: 'PlanCounts' });
export type PlanCounts = z.infer<typeof PlanCounts>;

/** A deployment, as lists show it. */
export const DeploymentSummary = z
  .object({
    id: DeploymentId,
    repository: FullName,
    rootName: RootName,
    revision: RevisionSummary,
    trigger: z.enum(['merge', 'manual', 'preview']),
    rerun: z.boolean(),
    requestedBy: Login,
    pullRequest: PullRequestNumber.optional(),
    status: DeploymentStatus,
    mood: Mood,
    /** The status in words. */
    headline: z.string(),
    /** Present while it waits. */
    wait: Wait.optional(),
    plan: PlanCounts.optional(),
    reviewedBy: Login.optional(),
    receivedAt: Time,
    /** When each status was entered. */
    times: z.partialRecord(DeploymentStatus, Time),
    endedAt: Time.optional(),
  })
  .meta({ id: 'DeploymentSummary' });
export type DeploymentSummary = z.infer<typeof DeploymentSummary>;

export const DeploymentList = listOf(DeploymentSummary).meta({ id: 'DeploymentList' });
export type DeploymentList = z.infer<typeof DeploymentList>;
