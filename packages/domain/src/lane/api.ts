import { z } from 'zod';
import { DeploymentBrief, Lock } from '../deployment/api.ts';
import { TRIGGERS } from '../deployment/request.ts';
import { Cursor, FullName, RootName, Time, Unavailable } from '../fields.ts';

/** The most urgent first, as below. */
export const STATES_FOR_A_PERSON = [
  'outcome-unknown',
  'failed',
  'unreadable',
  'stuck',
  'review',
  'locked',
  'undeployed',
] as const;

export const STATES_AT_WORK = ['applying', 'planning', 'waiting'] as const;

/** The state of a lane at this moment. */
export const LANE_STATES = [...STATES_FOR_A_PERSON, ...STATES_AT_WORK, 'idle'] as const;

export const LaneState = z.enum(LANE_STATES).meta({ id: 'LaneState' });
export type LaneState = z.infer<typeof LaneState>;

const Sha = z.string();

/** The revision whose apply began last, or that turned out to change nothing. `status` is how that ended. */
export const Deployed = z
  .object({
    deploymentId: z.string(),
    sha: Sha,
    /** When its apply began, or when it turned out to change nothing. */
    at: Time,
    trigger: z.enum(TRIGGERS),
    status: z.string(),
  })
  .meta({ id: 'Deployed' });
export type Deployed = z.infer<typeof Deployed>;

/** A part of a sentence, and the page of the thing that it names, from the console's top. */
export const SentenceLink = z.object({ text: z.string(), path: z.string() }).meta({ id: 'SentenceLink' });
export type SentenceLink = z.infer<typeof SentenceLink>;

/** The revisions of the branch that the lane has accepted and that are not deployed, as far as its record knows. */
export const Behind = z
  .object({
    revisions: z.int(),
    /** There may be more. */
    isAtLeast: z.boolean(),
    newest: z.object({ sha: Sha, title: z.string() }).optional(),
  })
  .meta({ id: 'Behind' });
export type Behind = z.infer<typeof Behind>;

/** One of these revisions, as what runs, waits or ended last. */
export const BehindRevision = z
  .object({
    sha: Sha,
    title: z.string(),
    /** Of the deployment, as in `GET deployments/:id`. */
    status: z.string(),
    /** The page of the deployment, from the console's top. */
    path: z.string(),
  })
  .meta({ id: 'BehindRevision' });
export type BehindRevision = z.infer<typeof BehindRevision>;
/** A lane, as the fleet shows it. */
export const LaneSummary = z
  .object({
    repository: FullName,
    rootName: RootName,
    state: LaneState,
    /** What it waits for, or what is wrong: one sentence. */
    sentence: z.string().optional(),
    /** Parts of the sentence, in its order. */
    links: z.array(SentenceLink).optional(),
    /** When that began, as far as it is known. */
    since: Time.optional(),
    /** When the wait ends by itself. */
    endsAt: Time.optional(),
    deployed: Deployed.optional(),
    lock: Lock.optional(),
    running: DeploymentBrief.optional(),
    /** How many deployments wait. */
    waiting: z.int(),
    /** Absent while the record of the lane cannot be read. */
    behind: Behind.optional(),
  })
  .meta({ id: 'LaneSummary' });
export type LaneSummary = z.infer<typeof LaneSummary>;

/** By repository and root. `next` is absent on the last page. */
export const LaneList = z
  .object({
    items: z.array(LaneSummary),
    next: Cursor.optional(),
    /** How many there are of each state, of all that the other filters leave over. */
    counts: z.partialRecord(LaneState, z.int()),
    unavailable: Unavailable,
  })
  .meta({ id: 'LaneList' });
export type LaneList = z.infer<typeof LaneList>;

export const LaneDetail = LaneSummary.extend({
  /** In the order in which they will run, at most 100. */
  queue: z.array(DeploymentBrief),
  /** Of `behind`, at most 50, the newest first. */
  revisionsBehind: z.array(BehindRevision),
  /** Ended deployments, the latest end first; of those that had ended by `asOf`, if that was asked for. */
  history: z.array(DeploymentBrief),
  /** The place where the history goes on, for `cursor`; absent on the last page. */
  next: Cursor.optional(),
  /** How many records of this page cannot be read, and are left out; absent when all can. */
  unreadable: z.int().optional(),
  asOf: Time.optional(),
  /** What was deployed at `asOf`, by the deployments that had ended by then; absent when nothing was. */
  deployedThen: Deployed.optional(),
  /** Only this far back was looked for `deployedThen`: none of the deployments since then took effect. */
  searchedTo: Time.optional(),
  unavailable: Unavailable,
}).meta({ id: 'LaneDetail' });
export type LaneDetail = z.infer<typeof LaneDetail>;

/** Why a deployment does not go on. */
const WaitReason = z.object({
  /** `turn`, `order`, `stop`, `window`, `age`, `policy` or `review`, which are gates; `queue`, `host`, `outside` or `record`: the reasons of the metrics. A later release may have others. */
  gate: z.string(),
  /** What it waits for, as a clause. */
  sentence: z.string(),
  /** Who or what can end the wait, like `Confirm: write permission`. */
  who: z.array(z.string()),
  /** When the wait ends by itself. */
  endsAt: Time.optional(),
});

export const LaneWaits = z
  .object({
    repository: FullName,
    rootName: RootName,
    /** Of the lane, also while nothing waits. */
    lock: Lock.optional(),
    /** Present while a failed deployment of the lane halts the rollout of its merge: a re-run, or a merged fix, resumes that. */
    halts: z
      .object({
        /** How many roots wait for that. */
        roots: z.int(),
        /** The deployment that failed, where the lane still knows it. */
        deploymentId: z.string().optional(),
      })
      .optional(),
    /** What runs, then what waits, in its order, at most 100; each with all that it waits for. */
    items: z.array(
      DeploymentBrief.extend({
        reasons: z.array(WaitReason),
        /** Present where a window closes within 24 hours: when, and what becomes of an apply that has not begun. */
        closing: z.string().optional(),
        /** Who lets its plan, or its apply, pass stops and windows. */
        glass: z
          .object({ by: z.string(), reason: z.string(), at: Time, until: Time, door: z.enum(['plan', 'apply']) })
          .optional(),
      }),
    ),
    unavailable: Unavailable,
  })
  .meta({ id: 'LaneWaits' });
export type LaneWaits = z.infer<typeof LaneWaits>;
