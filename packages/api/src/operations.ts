/**
 * Every operation of the API. The console serves exactly these, its OpenAPI document is made of them, and clients call them.
 * Paths are those of OpenAPI: `{name}` is a parameter.
 */
import { z } from 'zod';
import { ActivityList } from './activity.ts';
import { DeploymentList, DeploymentStatus } from './deployments.ts';
import { Cursor, DeploymentId, FullName, Login, PullRequestNumber, RootName, Sha, Time } from './fields.ts';
import { HostList, HostSummary } from './hosts.ts';
import { Insights } from './insights.ts';
import { LaneDetail, LaneList, LaneState } from './lanes.ts';
import { PullRequestDetail } from './pulls.ts';
import { DeployRequest, PlanAnswerRequest, PlanRequestBody, RequestOutcome, ReviewRequest } from './requests.ts';
import { RolloutDetail, RolloutList } from './rollouts.ts';

/** What a token may be for. Each operation takes one of them. */
export const SCOPES = ['read', 'review', 'deploy', 'operate'] as const;
export type Scope = (typeof SCOPES)[number];

export interface Operation {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly summary: string;
  readonly scope: Scope;
  readonly parameters?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** The answer to a request that succeeds, as JSON; undefined for a stream or a text. */
  readonly answer?: z.ZodType;
}

const Owner = z.string().regex(/^[\w.-]{1,39}$/);
const Name = z.string().regex(/^[\w.-]{1,100}$/);
const OF_REPOSITORY = { owner: Owner, repository: Name };
const OF_LANE = z.object({ ...OF_REPOSITORY, root: RootName });
const OF_DEPLOYMENT = z.object({ id: DeploymentId });
const OF_PULL = z.object({ ...OF_REPOSITORY, number: z.coerce.number().pipe(PullRequestNumber) });

/** The longest text that is searched for. */
const Text = z.string().max(200);

/** More lanes than these fit on no screen; a command line asks for page after page. */
const PAGED = { cursor: Cursor.optional(), limit: z.coerce.number().pipe(z.int().min(1).max(500)).default(100) };

/** The lane in which a deployment is looked for first: `owner/name/root`. */
const LANE_HINT = z.object({ lane: z.string().max(250).optional() });

export const OPERATIONS = {
  listLanes: {
    method: 'get',
    path: '/lanes',
    summary: 'Lists lanes, those that need a person first.',
    scope: 'read',
    query: z.object({
      ...PAGED,
      repository: FullName.optional(),
      state: LaneState.optional(),
      text: Text.optional(),
      person: Login.max(100).optional(),
    }),
    answer: LaneList,
  },
  getLane: {
    method: 'get',
    path: '/lanes/{owner}/{repository}/{root}',
    summary: 'Shows one lane: what runs, the queue, the lock, the history; `at`: what was deployed at that time.',
    scope: 'read',
    parameters: OF_LANE,
    query: z.object({ at: Time.optional() }),
    answer: LaneDetail,
  },
  unlockLane: {
    method: 'post',
    path: '/lanes/{owner}/{repository}/{root}/unlock',
    summary: 'Lifts the lock of a lane.',
    scope: 'deploy',
    parameters: OF_LANE,
    answer: RequestOutcome,
  },
  listRollouts: {
    method: 'get',
    path: '/rollouts',
    summary: 'Lists the last revisions that were deployed, newest first.',
    scope: 'read',
    query: z.object({ ...PAGED, repository: FullName.optional() }),
    answer: RolloutList,
  },
  getRollout: {
    method: 'get',
    path: '/rollouts/{owner}/{repository}/{sha}',
    summary: 'Shows one revision with all its roots.',
    scope: 'read',
    parameters: z.object({ ...OF_REPOSITORY, sha: Sha }),
    answer: RolloutDetail,
  },
  listDeployments: {
    method: 'get',
    path: '/deployments',
    summary: 'Lists deployments, those that have not ended first, then the newest.',
    scope: 'read',
    query: z.object({
      ...PAGED,
      repository: FullName.optional(),
      root: RootName.optional(),
      status: DeploymentStatus.optional(),
      person: Login.max(100).optional(),
    }),
    answer: DeploymentList,
  },
  getDeployment: {
    method: 'get',
    path: '/deployments/{id}',
    summary: 'Shows one deployment.',
    scope: 'read',
    parameters: OF_DEPLOYMENT,
    query: LANE_HINT,
  },
  createDeployments: {
    method: 'post',
    path: '/deployments',
    summary: 'Deploys a revision to roots.',
    scope: 'deploy',
    body: DeployRequest,
    answer: RequestOutcome,
  },
  readLog: {
    method: 'get',
    path: '/deployments/{id}/logs/{job}',
    summary: 'Reads the log of a job as text, from `offset` on; `follow=true` goes on until the job ends.',
    scope: 'read',
    parameters: OF_DEPLOYMENT.extend({ job: z.enum(['plan', 'apply']) }),
    query: LANE_HINT.extend({
      offset: z.coerce.number().pipe(z.int().min(0)).optional(),
      follow: z.stringbool().optional(),
    }),
  },
  reviewDeployment: {
    method: 'post',
    path: '/deployments/{id}/review',
    summary: 'Confirms or rejects exactly the plan with this digest.',
    scope: 'review',
    parameters: OF_DEPLOYMENT,
    query: LANE_HINT,
    body: ReviewRequest,
    answer: RequestOutcome,
  },
  overridePolicies: {
    method: 'post',
    path: '/deployments/{id}/override',
    summary: 'Lets exactly this plan go on although policies deny it.',
    scope: 'review',
    parameters: OF_DEPLOYMENT,
    query: LANE_HINT,
    body: PlanAnswerRequest,
    answer: RequestOutcome,
  },
  confirmForMerge: {
    method: 'post',
    path: '/deployments/{id}/confirm-for-merge',
    summary: 'Confirms the plan of a pull request, to be applied once that is merged.',
    scope: 'review',
    parameters: OF_DEPLOYMENT,
    query: LANE_HINT,
    body: PlanAnswerRequest,
    answer: RequestOutcome,
  },
  cancelDeployment: {
    method: 'post',
    path: '/deployments/{id}/cancel',
    summary: 'Ends a deployment: a waiting one leaves the queue, a running one is interrupted.',
    scope: 'deploy',
    parameters: OF_DEPLOYMENT,
    query: LANE_HINT,
    answer: RequestOutcome,
  },
  rerunDeployment: {
    method: 'post',
    path: '/deployments/{id}/rerun',
    summary: 'Deploys the same revision to the same root again.',
    scope: 'deploy',
    parameters: OF_DEPLOYMENT,
    query: LANE_HINT,
    answer: RequestOutcome,
  },
  getPullRequest: {
    method: 'get',
    path: '/pulls/{owner}/{repository}/{number}',
    summary: 'Shows the plans of a pull request.',
    scope: 'read',
    parameters: OF_PULL,
    answer: PullRequestDetail,
  },
  planPullRequest: {
    method: 'post',
    path: '/pulls/{owner}/{repository}/{number}/plan',
    summary: 'Plans a pull request again.',
    scope: 'deploy',
    parameters: OF_PULL,
    body: PlanRequestBody,
    answer: RequestOutcome,
  },
  listActivity: {
    method: 'get',
    path: '/activity',
    summary: 'Lists the audit trail, newest first.',
    scope: 'read',
    query: z.object({
      ...PAGED,
      repository: FullName.optional(),
      root: RootName.optional(),
      person: Login.max(100).optional(),
      action: z.string().max(50).optional(),
      from: Time.optional(),
      to: Time.optional(),
    }),
    answer: ActivityList,
  },
  getInsights: {
    method: 'get',
    path: '/insights',
    summary: 'Sums up the deployments of 7, 30 or 90 days.',
    scope: 'read',
    query: z.object({ days: z.enum(['7', '30', '90']).default('30'), repository: FullName.optional() }),
    answer: Insights,
  },
  listHosts: {
    method: 'get',
    path: '/hosts',
    summary: 'Lists hosts, with what runs on each.',
    scope: 'read',
    query: z.object(PAGED),
    answer: HostList,
  },
  drainHost: {
    method: 'post',
    path: '/hosts/{id}/drain',
    summary: 'Has a host take no more work, or take work again.',
    scope: 'operate',
    parameters: z.object({ id: HostSummary.shape.id.max(100) }),
    body: z.object({ drain: z.boolean() }).strict(),
    answer: RequestOutcome,
  },
  getRequest: {
    method: 'get',
    path: '/requests/{id}',
    summary: 'Says what came of a request.',
    scope: 'read',
    parameters: z.object({ id: z.string().regex(/^[\da-f]{32}$/) }),
    answer: RequestOutcome,
  },
  followEvents: {
    method: 'get',
    path: '/events',
    summary: 'Streams what changes, as server-sent events that name lanes and deployments; resumes with Last-Event-ID.',
    scope: 'read',
    query: z.object({ repository: FullName.optional(), root: RootName.optional() }),
  },
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof OPERATIONS;
