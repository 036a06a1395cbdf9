/** Everything about one deployment. Names, titles, reasons and addresses come from repositories and may be hostile. */
import { OFFERED_ACTIONS } from '@nereid/domain/actions';
import { DEPLOYMENT_STATUSES, TRIGGERS } from '@nereid/domain/deployment';
import { CHANGE_ACTIONS, KNOWN_COUNTS, type KnownCount } from '@nereid/domain/plan';
import { DISTRIBUTIONS } from '@nereid/domain/root';
import { z } from 'zod';
import { RootName, Time } from './fields.ts';
import { Lock } from './lanes.ts';

export const DeploymentStatus = z.enum(DEPLOYMENT_STATUSES).meta({ id: 'DeploymentStatus' });

const Sha = z.string();

/** Login. */
const Login = z.string();

const By = z.object({ by: Login, at: Time });

const PolicyResult = z.object({
  name: z.string(),
  enforce: z.enum(['advisory', 'required']),
  /** `error`: it could not be evaluated, which counts as a denial. */
  verdict: z.enum(['passed', 'denied', 'error']),
  denials: z.array(z.string()),
  warnings: z.array(z.string()),
  /** How many more lines there were. */
  omitted: z.int().optional(),
  /** Who may override it, in words. */
  owners: z.string().optional(),
});

const COUNTS = Object.fromEntries(KNOWN_COUNTS.map((name) => [name, z.int()])) as Readonly<
  Record<KnownCount, z.ZodInt> // As built.
>;

/** What a plan would change. Values of resources are never part of it. */
export const PlanDetail = z
  .object({
    digest: z.string(),
    hasChanges: z.boolean(),
    reviewRequired: z.boolean(),
    summary: z.object({
      ...COUNTS,
      /** Changes that this release does not know. */
      unknown: z.int().optional(),
      /** At most 200, those that are deleted first. */
      resources: z.array(
        z.object({
          address: z.string(),
          action: z.enum(CHANGE_ACTIONS),
          /** Terraform's words for an unknown action. */
          words: z.string().optional(),
        }),
      ),
      /** How many more there are. */
      omitted: z.int(),
    }),
    policies: z.array(PolicyResult).optional(),
    /** What Terraform warned of, and checks that failed. */
    warnings: z.object({ texts: z.array(z.string()), omitted: z.int().optional() }).optional(),
    /** It was made and reviewed before the merge. */
    beforeMerge: z.literal(true).optional(),
    /** When the wait for a review ends by itself. */
    expiresAt: Time.optional(),
  })
  .meta({ id: 'PlanDetail' });
export type PlanDetail = z.infer<typeof PlanDetail>;

const Job = z.object({ startedAt: Time, endedAt: Time.optional() });

export const Progress = z
  .object({
    status: DeploymentStatus,
    /** When each status was entered. */
    times: z.partialRecord(DeploymentStatus, Time),
    /** Why it waits, or why it ended so: a sentence. */
    reason: z.string().optional(),
    /** No host has a slot for the next step. */
    waitsFor: z.literal('host').optional(),
    hostId: z.string().optional(),
    /** Those that have begun, each of which has a log. */
    jobs: z.object({ plan: Job.optional(), apply: Job.optional() }),
    plan: PlanDetail.optional(),
    review: By.extend({ answer: z.enum(['approved', 'rejected']) }).optional(),
    overrides: z.array(By.extend({ policies: z.array(z.string()) })).optional(),
    applied: z.object({ added: z.int(), changed: z.int(), destroyed: z.int(), imported: z.int() }).optional(),
    failure: z
      .object({
        /** One line. */
        summary: z.string(),
        /** The last lines of the output. */
        lines: z.array(z.string()),
      })
      .optional(),
  })
  .meta({ id: 'Progress' });
export type Progress = z.infer<typeof Progress>;

/** What people may be able to do; control judges who may. `merge`: confirm the plan for the merge of its pull request. */
export const Offer = z.enum(OFFERED_ACTIONS).meta({ id: 'Offer' });

/** What did not answer, so that the rest may be out of date. `workers`: Temporal can be reached, and no worker answers. */
export const SilentSources = z.array(z.enum(['temporal', 'workers', 'storage']));

export const DeploymentDetail = z
  .object({
    id: z.string(),
    lane: z.object({ owner: z.string(), name: z.string(), rootName: RootName }),
    progress: Progress,
    /** What was asked for, and by whom. */
    deployment: z.object({
      id: z.string(),
      revision: z.object({ sha: Sha, branch: z.string(), position: z.int(), title: z.string(), author: z.string() }),
      trigger: z.enum(TRIGGERS),
      rerun: z.boolean(),
      force: z.boolean(),
      requestedBy: Login,
      receivedAt: Time,
      pullRequest: z.int().optional(),
      /** Of a preview: what is merged. */
      preview: z.object({ headSha: Sha, baseSha: Sha, isRemoval: z.literal(true).optional() }).optional(),
      cancellation: By.optional(),
      /** The deployment that contains a skipped one, and goes in its place. */
      carrier: z.object({ deploymentId: z.string(), revision: Sha }).optional(),
      /** Of a preview, whose plan the merge is to apply. */
      confirmedForMerge: By.optional(),
      root: z.object({
        name: z.string(),
        dir: z.string(),
        workspace: z.string(),
        distribution: z.enum(DISTRIBUTIONS),
        terraformVersion: z.string().optional(),
        planReview: z.string(),
        onFailure: z.string(),
        varFiles: z.array(z.string()),
        /** Of hosts; absent for the one without a name. */
        pool: z.string().optional(),
      }),
    }),
    /** How many deployments go first, while this one waits. */
    ahead: z.int().optional(),
    /** Sentences that a person has to read before they answer the plan. */
    warnings: z.array(z.string()),
    /** The lock that holds it back, while it waits. */
    lock: Lock.optional(),
    /** Who lifted the lock that it had set. */
    unlocked: By.optional(),
    offers: z.array(Offer),
    /** What its workflow does, or tries again, while it runs: for people who were let into its repository. */
    pending: z
      .array(
        z.object({
          /** Of Temporal, like `plan`. */
          activity: z.string(),
          attempt: z.int(),
          isRunning: z.boolean(),
          /** While it waits for that. */
          nextAttemptAt: Time.optional(),
          /** What the last attempt ended with. */
          lastFailure: z.string().optional(),
        }),
      )
      .optional(),
    /** Names everything that is shown of its plan: an answer to the plan has to name the same. */
    seen: z.string().optional(),
    /** Present once its record is stored. */
    endedAt: Time.optional(),
    unavailable: SilentSources,
    /** Absolute addresses. */
    links: z.object({
      checkRun: z.string().optional(),
      commit: z.string(),
      pullRequest: z.string().optional(),
      workflow: z.string().optional(),
      laneWorkflow: z.string().optional(),
    }),
  })
  .meta({ id: 'DeploymentDetail' });
export type DeploymentDetail = z.infer<typeof DeploymentDetail>;
