import { z } from 'zod';
import { DeploymentSummary, Mood } from './deployments.ts';
import {
  DeploymentId,
  FullName,
  listOf,
  Login,
  RevisionSummary,
  RootName,
  Sha,
  Time,
  Unavailable,
  Wait,
} from './fields.ts';

/** What a person looks for first: the order is that of urgency. */
export const LANE_STATES = [
  'outcome-unknown',
  'failed',
  'review',
  'locked',
  'blocked',
  'applying',
  'planning',
  'waiting',
  'idle',
  'never-deployed',
] as const;

export const LaneState = z.enum(LANE_STATES).meta({ id: 'LaneState' });
export type LaneState = z.infer<typeof LaneState>;

export const LockSummary = z
  .object({
    kind: z.enum(['manual', 'failed', 'outcome-unknown']),
    deploymentId: DeploymentId,
    revision: Sha,
    by: Login,
    at: Time,
    sentence: z.string(),
  })
  .meta({ id: 'LockSummary' });
export type LockSummary = z.infer<typeof LockSummary>;

/** The revision that was applied last, or turned out to change nothing. */
export const Deployed = z
  .object({
    deploymentId: DeploymentId,
    sha: Sha,
    at: Time,
    trigger: z.enum(['merge', 'manual', 'preview']),
    /** It did not end well: how much of it is there is in its log. */
    isPartial: z.boolean(),
  })
  .meta({ id: 'Deployed' });
export type Deployed = z.infer<typeof Deployed>;

/** A lane, as the fleet shows it. */
export const LaneSummary = z
  .object({
    repository: FullName,
    rootName: RootName,
    state: LaneState,
    mood: Mood,
    /** The state in words. */
    headline: z.string(),
    wait: Wait.optional(),
    deployed: Deployed.optional(),
    lock: LockSummary.optional(),
    running: DeploymentSummary.optional(),
    /** How many deployments wait. */
    waiting: z.int(),
    /** The merged revisions that are not deployed yet, oldest first: at most 20, and how many there are. */
    behind: z.object({ count: z.int(), revisions: z.array(RevisionSummary) }),
    /** When anything of it changed last. */
    at: Time.optional(),
  })
  .meta({ id: 'LaneSummary' });
export type LaneSummary = z.infer<typeof LaneSummary>;

export const LaneList = listOf(LaneSummary)
  .extend({
    /** How many lanes there are of each state, of all that the filters but the state leave over. */
    counts: z.partialRecord(LaneState, z.int()),
    total: z.int(),
  })
  .meta({ id: 'LaneList' });
export type LaneList = z.infer<typeof LaneList>;

/** Everything about one lane. */
export const LaneDetail = LaneSummary.extend({
  /** In the order in which they will run. */
  queue: z.array(DeploymentSummary),
  /** Ended deployments, newest first, at most 50. */
  history: z.array(DeploymentSummary),
  /** The time for which `deployed` was looked up, if one was asked for. */
  asOf: Time.optional(),
  unavailable: Unavailable,
}).meta({ id: 'LaneDetail' });
export type LaneDetail = z.infer<typeof LaneDetail>;
