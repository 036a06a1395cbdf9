/** What the API shows of a deployment. Names, titles, reasons and addresses come from repositories and may be hostile. */
import { z } from 'zod';
import { OFFERED_ACTIONS } from '../actions/actions.ts';
import { Cursor, FullName, RootName, Time, Unavailable } from '../fields.ts';
import { PlanDetail } from '../plan/api.ts';
import { DISTRIBUTIONS } from '../root/model.ts';
import { partsOf } from '../stored.ts';
import type { Progress as WholeProgress } from './progress.ts';
import { lockParts } from './record.ts';
import { TRIGGERS } from './request.ts';
import { DEPLOYMENT_STATUSES } from './status.ts';
import { GATE_NAMES } from './wait-reason.ts';

export const DeploymentStatus = z.enum(DEPLOYMENT_STATUSES).meta({ id: 'DeploymentStatus' });

const Sha = z.string();

/** Login. */
const Login = z.string();

const By = z.object({ by: Login, at: Time });

const Job = z.object({ startedAt: Time, endedAt: Time.optional() });

const Applied = z.object({ added: z.int(), changed: z.int(), destroyed: z.int(), imported: z.int() });

export const Progress = partsOf<
  Omit<WholeProgress, 'plan' | 'approvals' | 'overrides' | 'glass' | 'failure' | 'waitsFor'>
>()(
  z
    .object({
      status: DeploymentStatus,
      /** When each status was entered. */
      times: z.partialRecord(DeploymentStatus, Time),
      /** Why it waits, or why it ended so: a sentence. */
      reason: z.string().optional(),
      /** No host has a slot for the next step, or this gate is closed before it. */
      waitsFor: z.enum(['host', ...GATE_NAMES]).optional(),
      hostId: z.string().optional(),
      /** Those that have begun, each of which has a log. */
      jobs: z.object({ plan: Job.optional(), apply: Job.optional() }),
      plan: PlanDetail.optional(),
      review: By.extend({ answer: z.enum(['approved', 'rejected']) }).optional(),
      /** Where several people have to confirm the plan, those who did, with the teams for which they can count. */
      approvals: z.array(By.extend({ teams: z.array(z.string()).optional() })).optional(),
      /** What their envelopes say, as of the plan and the failure. */
      overrides: z.array(By.extend({ policies: z.array(z.string()) })).optional(),
      /** Who let the plan pass stops and windows, and why. */
      glass: By.extend({ reason: z.string() }).optional(),
      applied: Applied.optional(),
      failure: z
        .object({
          /** One line. */
          summary: z.string(),
          /** The last lines of the output. */
          lines: z.array(z.string()),
        })
        .optional(),
    })
    .meta({ id: 'Progress' }),
);
export type Progress = z.infer<typeof Progress>;

/** Why deployments of a lane wait until a person has looked. */
export const Lock = lockParts
  .pick({ kind: true, deploymentId: true, by: true })
  .extend({ at: Time, sentence: z.string() })
  .meta({ id: 'Lock' });
export type Lock = z.infer<typeof Lock>;

/**
 * The actions that people may be able to take; control judges who may. `merge`: confirm the plan for the merge of its pull
 * request.
 */
export const Offer = z.enum(OFFERED_ACTIONS).meta({ id: 'Offer' });

/**
 * The sources that did not answer, so that the rest may be out of date. `workers`: Temporal can be reached, and no worker
 * answers.
 */
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
      /** About the configuration of its revision. */
      configWarnings: z.array(z.string()).optional(),
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
    /** After a failed apply, once it is planned: what going back to the last good revision would do. */
    revert: z
      .object({
        sentence: z.string(),
        /** How to go back: sentences. */
        way: z.string(),
        /** Of the plan. */
        deploymentId: z.string(),
        /** The page of the pull request that a revert takes back. */
        pullRequest: z.string().optional(),
      })
      .optional(),
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

/** The deployment that contains a skipped one, and goes in its place. */
const Carrier = z.object({
  sha: Sha,
  /** Its page, from the console's top. */
  path: z.string(),
  /** How far the revision is, where that is known; as in `GET deployments/:id`. */
  status: z.string().optional(),
});

/** A deployment in a list. Texts come from commits and may be hostile. */
export const DeploymentBrief = z
  .object({
    id: z.string(),
    sha: Sha,
    title: z.string(),
    trigger: z.enum(TRIGGERS),
    rerun: z.boolean(),
    /** Login. */
    requestedBy: z.string(),
    /** As in `GET deployments/:id`; of one that is under way, as Temporal's list has it. */
    status: z.string(),
    receivedAt: Time,
    endedAt: Time.optional(),
    /** Its page, from the console's top. */
    path: z.string(),
    checkRun: z.url().optional(),
    carrier: Carrier.optional(),
    /** What its apply did, as far as lists know. */
    applied: Applied.optional(),
    /** The people whose review its plan waits for, by login; absent when its rule names no one. */
    reviewers: z.array(z.string()).optional(),
  })
  .meta({ id: 'DeploymentBrief' });
export type DeploymentBrief = z.infer<typeof DeploymentBrief>;

export const ListedDeployment = DeploymentBrief.extend({ repository: FullName, rootName: RootName }).meta({
  id: 'ListedDeployment',
});
export type ListedDeployment = z.infer<typeof ListedDeployment>;

/** Those that wait or run, the newest first; then those that ended, the latest end first. `next` is absent on the last page. */
export const DeploymentList = z
  .object({ items: z.array(ListedDeployment), next: Cursor.optional(), unavailable: Unavailable })
  .meta({ id: 'DeploymentList' });
export type DeploymentList = z.infer<typeof DeploymentList>;
