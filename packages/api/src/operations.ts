/** Operations of the API: their paths below `/api/v1`, what they take and what they answer. */
import { z } from 'zod';
import { ActivityList } from '@nereid/domain/trail/api';
import { Attention } from './attention.ts';
import { DeploymentDetail, DeploymentStatus, DeploymentList } from '@nereid/domain/deployment/api';
import { Diagnosis, HostList } from '@nereid/domain/host/api';
import { Cursor, FullName, Owner, RepositoryName, RootName, Time, TimeOrDay } from '@nereid/domain/fields';
import { StopList } from '@nereid/domain/gates/api';
import { DestinationList } from '@nereid/domain/notification/api';
import { RolloutDetail, RolloutList } from '@nereid/domain/rollout/api';
import { Insights } from './insights.ts';
import { LaneDetail, LaneList, LaneState, LaneWaits } from '@nereid/domain/lane/api';
import { JobLog, JobName, LogEvent } from './logs.ts';
import { Me } from './me.ts';
import { PullRequestDetail } from '@nereid/domain/pull-request/api';
import { RequestAnswer } from './requests.ts';

/** GitHub's logins have 39 characters at most, those of bots a few more. */
const Login = z.string().min(1).max(100);

/** The top of all paths of the API. */
export const API_PATH = '/api/v1';

/** Those that only read. */
export interface Operation {
  /** Below `/api/v1`, with `{name}` for each field of `parameters`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: z.ZodObject;
  readonly query: z.ZodObject;
  /** Of a stream: each of its events. */
  readonly answer: z.ZodType;
  /** It is about something that its person has asked for, which may be under way. */
  readonly mayWait?: boolean;
  /** The type of the answer's content, unless it is JSON. */
  readonly media?: 'text/plain' | 'text/event-stream';
}

const NOTHING = z.object({});

const DeploymentId = z.uuid();

/** What a link to a page has as well. */
const Key = z.string().min(1).max(500).optional().meta({ description: 'The key of a link, where links open pages.' });

/** Of a deployment. */
const Link = z.object({
  lane: z.string().min(1).max(300).optional().meta({
    description:
      'The lane of the deployment as `owner/name/root`. Without it, a deployment that Temporal has forgotten is not found.',
  }),
  key: Key,
});

/** Bytes of a log, as it is stored. */
const Offset = z.string().regex(/^\d{1,15}$/);

const OfJob = z.object({ id: DeploymentId, job: JobName });

export const OPERATIONS = {
  getAttention: {
    path: '/attention',
    summary:
      'Everything that waits for a person, the most urgent first, then running work; the hosts that are away; the last merges.',
    query: NOTHING,
    answer: Attention,
  },
  listLanes: {
    path: '/lanes',
    summary: 'All lanes, by repository and root.',
    query: z.object({
      cursor: Cursor.optional(),
      limit: z.coerce.number().int().min(1).max(1_000).default(200),
      repository: FullName.optional(),
      state: LaneState.optional(),
      text: z.string().min(1).max(200).optional().meta({
        description:
          'Words in the name of the root or of the repository, in the title of the running deployment, or in the login of the person who asked for it.',
      }),
      person: Login.optional().meta({
        description: 'Login of who asked for what runs, waits or was left undeployed, or who locked the lane.',
      }),
    }),
    answer: LaneList,
  },
  getLane: {
    path: '/lanes/{owner}/{name}/{root}',
    summary:
      'One lane: its running and waiting deployments, how far it is behind its branch, and its history in pages.',
    parameters: z.object({ owner: Owner, name: RepositoryName, root: RootName }),
    query: z.object({
      at: Time.optional().meta({ description: 'The history as of this time, and what was deployed then.' }),
      cursor: Cursor.optional().meta({
        description: 'Where the history goes on: `next` of the page before.',
      }),
      // Each is a record that is read.
      limit: z.coerce.number().int().min(1).max(100).default(50),
    }),
    answer: LaneDetail,
  },
  getWaits: {
    path: '/lanes/{owner}/{name}/{root}/waits',
    summary: 'Why the deployments of one lane wait: everything that holds each of them up, and who can end that.',
    parameters: z.object({ owner: Owner, name: RepositoryName, root: RootName }),
    query: NOTHING,
    answer: LaneWaits,
  },
  listDeployments: {
    path: '/deployments',
    summary: 'Deployments: those that wait or run, the newest first; then those that ended, the latest end first.',
    query: z.object({
      cursor: Cursor.optional(),
      limit: z.coerce.number().int().min(1).max(500).default(100),
      repository: FullName.optional(),
      root: RootName.optional(),
      status: DeploymentStatus.optional(),
      person: Login.optional().meta({ description: 'The login of the person who asked for it.' }),
    }),
    answer: DeploymentList,
  },
  getDeployment: {
    path: '/deployments/{id}',
    summary: 'One deployment: the request, its progress, its plan, and the actions that people may take.',
    parameters: z.object({ id: DeploymentId }),
    query: Link,
    answer: DeploymentDetail,
  },
  getJobLog: {
    path: '/deployments/{id}/logs/{job}',
    summary: 'The log of a job, as far as it is written.',
    parameters: OfJob,
    query: Link.extend({
      offset: Offset.optional().meta({
        description: 'Leaves out so many bytes at the beginning; without it, none.',
      }),
    }),
    answer: JobLog,
    media: 'text/plain',
  },
  followJobLog: {
    path: '/deployments/{id}/logs/{job}/events',
    summary: 'The log of a job as it grows, as server-sent events.',
    parameters: OfJob,
    query: Link.extend({
      offset: Offset.optional().meta({
        description:
          'Goes on behind so many bytes, which is the `id` of an event; the header `Last-Event-ID` says the same. Without both, the stream begins near the end of the log.',
      }),
      tail: z.literal('yes').optional().meta({
        description:
          'For clients that want the end rather than all. A client that is more than 1 MiB behind goes on near the end of the log, and an event `skipped` says how much it misses. Without it, nothing is left out.',
      }),
    }),
    answer: LogEvent,
    media: 'text/event-stream',
  },
  getPullRequest: {
    path: '/pulls/{owner}/{name}/{number}',
    summary: 'The plans of a pull request.',
    parameters: z.object({
      owner: Owner,
      name: RepositoryName,
      number: z.coerce.number().int().min(1).max(1_000_000_000),
    }),
    query: z.object({ key: Key }),
    answer: PullRequestDetail,
  },
  listRollouts: {
    path: '/rollouts',
    summary: 'The merges of the last three days that deploy roots, the newest first.',
    query: NOTHING,
    answer: RolloutList,
  },
  getRollout: {
    path: '/rollouts/{owner}/{name}/{sha}',
    summary: 'One revision of the last two weeks, with all the roots that it deploys.',
    parameters: z.object({ owner: Owner, name: RepositoryName, sha: z.string().regex(/^[0-9a-f]{40}$/) }),
    query: NOTHING,
    answer: RolloutDetail,
  },
  listActivity: {
    path: '/activity',
    summary: 'The audit trail, the latest event first.',
    query: z.object({
      cursor: Cursor.optional(),
      limit: z.coerce.number().int().min(1).max(500).default(100),
      repository: FullName.optional(),
      root: RootName.optional(),
      person: Login.optional(),
      action: z.string().min(1).max(50).optional(),
      from: TimeOrDay.optional().meta({ description: 'The first time or day, ISO 8601 in UTC.' }),
      to: TimeOrDay.optional().meta({
        description: 'The last day, or the time before which everything is, ISO 8601 in UTC.',
      }),
    }),
    answer: ActivityList,
  },
  getInsights: {
    path: '/insights',
    summary: 'How deployments went in the last days.',
    query: z.object({ days: z.enum(['7', '30', '90']).default('30'), repository: FullName.optional() }),
    answer: Insights,
  },
  getRequest: {
    path: '/requests/{id}',
    summary: 'The outcome of a request that the person has made.',
    parameters: z.object({ id: z.string().max(100) }),
    query: NOTHING,
    answer: RequestAnswer,
    mayWait: true,
  },
  getMe: {
    path: '/me',
    summary: 'The person who asks, as the console knows them.',
    query: NOTHING,
    answer: Me,
  },
  getDoctor: {
    path: '/doctor',
    summary:
      'Whether the console and the workers can work with their configuration, and the remedies if not; for operators.',
    query: NOTHING,
    answer: Diagnosis,
  },
  listDestinations: {
    path: '/notifications',
    summary: 'The destinations of notifications, with what they took or refused last; for operators.',
    query: NOTHING,
    answer: DestinationList,
  },
  listStops: {
    path: '/stops',
    summary: 'The stops in force, those of all repositories and of pools first.',
    query: NOTHING,
    answer: StopList,
  },
  listHosts: { path: '/hosts', summary: 'All hosts, those that are away first.', query: NOTHING, answer: HostList },
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof OPERATIONS;
