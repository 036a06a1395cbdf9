/** Operations that change something: their paths below `/api/v1`, and what they take. All answer a `RequestAnswer`. */
import { z } from 'zod';
import { HostId, Owner, RepositoryName, RootName } from './fields.ts';
import { DeployBody, MergeReviewBody, NoBody, OverrideBody, PlanBody, ReviewBody, UnlockBody } from './requests.ts';

export interface ActionOperation {
  readonly path: string;
  readonly summary: string;
  readonly parameters: z.ZodObject;
  readonly query: z.ZodObject;
  readonly body: z.ZodObject;
}

const NOTHING = z.object({});

const OfDeployment = z.object({ id: z.uuid() });

/** Saves a question to Temporal, and finds what Temporal has forgotten. */
const OfLane = z.object({
  lane: z.string().min(1).max(300).optional().meta({ description: 'The lane of the deployment as `owner/name/root`.' }),
});

const OfHost = z.object({ id: HostId });

const OfPullRequest = z.object({
  owner: Owner,
  name: RepositoryName,
  number: z.coerce.number().pipe(z.int().min(1).max(1_000_000_000)),
});

export const ACTIONS = {
  deployRevision: {
    path: '/deployments',
    summary: 'Deploys a revision of the deployed branch to roots, in their queues, by the rules of a re-run.',
    parameters: NOTHING,
    query: NOTHING,
    body: DeployBody,
  },
  reviewPlan: {
    path: '/deployments/{id}/review',
    summary: 'Confirms or rejects the plan of a deployment.',
    parameters: OfDeployment,
    query: OfLane,
    body: ReviewBody,
  },
  overridePolicies: {
    path: '/deployments/{id}/override',
    summary: 'Lets a plan go on although policies deny it, for their owners.',
    parameters: OfDeployment,
    query: OfLane,
    body: OverrideBody,
  },
  cancelDeployment: {
    path: '/deployments/{id}/cancel',
    summary: 'Ends a deployment that waits or runs.',
    parameters: OfDeployment,
    query: OfLane,
    body: NoBody,
  },
  rerunDeployment: {
    path: '/deployments/{id}/rerun',
    summary: 'Deploys the revision of a failed deployment once more.',
    parameters: OfDeployment,
    query: OfLane,
    body: NoBody,
  },
  unlockLane: {
    path: '/lanes/{owner}/{name}/{root}/unlock',
    summary: 'Lifts the lock of a lane, so that waiting deployments go on.',
    parameters: z.object({ owner: Owner, name: RepositoryName, root: RootName }),
    query: NOTHING,
    body: UnlockBody,
  },
  planPullRequest: {
    path: '/pulls/{owner}/{name}/{number}/plan',
    summary: 'Plans a pull request again.',
    parameters: OfPullRequest,
    query: NOTHING,
    body: PlanBody,
  },
  confirmForMerge: {
    path: '/pulls/{owner}/{name}/{number}/confirm',
    summary: 'Confirms the plan of a pull request, to be applied once it is merged.',
    parameters: OfPullRequest,
    query: NOTHING,
    body: MergeReviewBody,
  },
  drainHost: {
    path: '/hosts/{id}/drain',
    summary: 'Lets a host take no more work, until it is resumed; for operators.',
    parameters: OfHost,
    query: NOTHING,
    body: NoBody,
  },
  resumeHost: {
    path: '/hosts/{id}/resume',
    summary: 'Lets a host take work again; for operators.',
    parameters: OfHost,
    query: NOTHING,
    body: NoBody,
  },
} as const satisfies Readonly<Record<string, ActionOperation>>;

export type ActionName = keyof typeof ACTIONS;
