/** The server-sent events of `GET /events`: what has changed, as it changes. */
import { z } from 'zod';
import { FullName, RootName, Unavailable } from '@nereid/domain/fields';
import { HostList } from '@nereid/domain/host/api';
import { LaneSummary } from '@nereid/domain/lane/api';
import { eventOf, NoFields } from './event-stream.ts';
import type { Operation } from './operations.ts';

/** A lane as it is from now on; without `lane`, it is gone. */
export const LaneEvent = z
  .object({ repository: FullName, rootName: RootName, lane: LaneSummary.optional() })
  .meta({ id: 'LaneEvent' });
export type LaneEvent = z.infer<typeof LaneEvent>;

/** How far a deployment is from now on. */
export const DeploymentEvent = z
  .object({
    id: z.string(),
    repository: FullName,
    rootName: RootName,
    /** As in `GET deployments/:id`. */
    status: z.string(),
  })
  .meta({ id: 'DeploymentEvent' });
export type DeploymentEvent = z.infer<typeof DeploymentEvent>;

/** The plans of a pull request are others from now on. */
export const PullRequestEvent = z
  .object({
    repository: FullName,
    number: z.int(),
    /** What its check run says, in one line. */
    headline: z.string(),
  })
  .meta({ id: 'PullRequestEvent' });
export type PullRequestEvent = z.infer<typeof PullRequestEvent>;

/** The sources that do not answer from now on, so that changes may be missing. */
export const UnavailableEvent = z.object({ unavailable: Unavailable }).meta({ id: 'UnavailableEvent' });
export type UnavailableEvent = z.infer<typeof UnavailableEvent>;

export const CHANGE_KINDS = ['lane', 'deployment', 'pull-request', 'hosts', 'unavailable'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The `data` of each event, by the event's name. */
export const STREAM_EVENTS = {
  lane: LaneEvent,
  deployment: DeploymentEvent,
  'pull-request': PullRequestEvent,
  /** All hosts, when one comes, goes or changes. That one was heard of again is no change. */
  hosts: HostList,
  unavailable: UnavailableEvent,
  /** Nobody knows what the client has missed, so it takes the whole state again. A stream without a known place begins so. */
  reset: NoFields,
  /** With `brief`: something changed. */
  changed: NoFields,
  /** Nothing has changed for a while. Its id is a place to go on from, like that of any event. */
  alive: NoFields,
} as const satisfies Readonly<Record<ChangeKind | 'reset' | 'changed' | 'alive', z.ZodObject>>;

/** Not together with all others: one thing at a time. */
const EventsQuery = z.object({
  repository: FullName.optional(),
  root: RootName.optional().meta({ description: 'A root of the repository.' }),
  pull: z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .optional()
    .meta({ description: 'The plans of a pull request of the repository, and nothing else.' }),
  deployment: z.string().min(1).max(100).optional().meta({ description: 'One deployment, and nothing else.' }),
  lane: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .meta({ description: 'The lane of the deployment, `owner/name/root`, as in links to it.' }),
  key: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'The key of a link to the deployment or to the plans.' }),
  kinds: z
    .string()
    .regex(new RegExp(`^(?:${CHANGE_KINDS.join('|')})(?:,(?:${CHANGE_KINDS.join('|')})){0,9}$`))
    .optional()
    .meta({
      description: 'Names of events, separated by commas; all, if it is absent.',
      examples: ['lane,hosts'],
    }),
  brief: z
    .literal('yes')
    .optional()
    .meta({ description: 'Changes that come together are one event `changed`, without their content.' }),
});
export type EventsQuery = z.infer<typeof EventsQuery>;

/** `GET /events`. */
export const EVENT_STREAM = {
  path: '/events',
  summary: 'Changes as they happen, as server-sent events.',
  description: [
    'The stream goes on until one of both sides ends it. Each event has a name and, as JSON, its `data`.',
    'A client that comes back with the `id` of the last event, in `Last-Event-ID` or `since`, gets what it has missed.',
    'If nobody knows what that is, the stream begins with `reset`: take the whole state again. So take it after `reset`, not before;',
    'another console behind the same address may know changes up to three seconds later.',
    'Events may come twice. Nothing was sent for 15 seconds: then there is an event `alive`.',
    'A client that does not keep up is cut off. 429 and 503 have a `Retry-After`.',
  ].join(' '),
  query: EventsQuery.extend({
    since: z.string().max(100).optional().meta({ description: 'As `Last-Event-ID`, which counts if both are given.' }),
  }),
  answer: eventOf(STREAM_EVENTS).meta({ id: 'ChangeEvent' }),
  media: 'text/event-stream',
} as const satisfies Operation;
