/** A notification as destinations receive it and as it is stored, and the state of a destination. */
import { z } from 'zod';
import { DEPLOYMENT_STATUSES } from '../deployment/status.ts';
import { partsOf, type Stored } from '../stored.ts';
import { NOTIFICATION_TOPICS } from './topics.ts';

const text = z.string().min(1);

const Link = z.url().optional();

/** The JSON Schema of the documentation is made of it. */
export const notification = z
  .object({
    version: z.literal(1).meta({ description: 'Of this form.' }),
    id: text.meta({ description: 'The same for each attempt: drop what you have seen.' }),
    type: z.enum(NOTIFICATION_TOPICS).meta({ description: 'The topic, as in `when` of a destination.' }),
    at: z.iso.datetime().meta({ description: 'When it happened.' }),
    until: z.iso
      .datetime()
      .optional()
      .meta({ description: 'When it is over by itself: of `closing`, when the window closes. Absent if it is not.' }),
    sentence: text.meta({
      description: 'For people. It may quote texts from repositories, so treat it as untrusted text, without markup.',
    }),
    repository: text.optional().meta({ description: '`owner/name`; absent if it is about no repository.' }),
    root: z
      .object({
        name: text.meta({ description: 'Unique in the repository.' }),
        directory: text.meta({ description: 'From the top of the repository; `.` for the top itself.' }),
        realDirectory: text.optional().meta({ description: 'The directory behind it, if it is reached by a link.' }),
      })
      .optional()
      .meta({ description: 'Absent if it is about no root.' }),
    deployment: z
      .object({
        id: text.meta({ description: 'A UUID, as in the API.' }),
        status: z.enum(DEPLOYMENT_STATUSES).meta({ description: 'As in the API.' }),
        trigger: z.enum(['merge', 'manual']).meta({ description: 'Why the deployment exists:' }),
        revision: text.meta({ description: 'The commit, 40 hex digits.' }),
        pullRequest: z.int().optional().meta({ description: 'The number of the pull request.' }),
      })
      .optional()
      .meta({ description: 'Absent if it is about no deployment.' }),
    about: text.optional().meta({
      description:
        'Of `halted`, `stuck`, `resumed` and `forged`: the same for one rollout, workflow or kind of forgery.',
    }),
    links: z
      .object({
        page: Link.meta({ description: 'The page in the console of the deployment, or of the merge.' }),
        checkRun: Link.meta({ description: 'The check run on GitHub.' }),
        pullRequest: Link.meta({ description: 'The pull request on GitHub.' }),
      })
      .meta({ description: 'Pages for people; each is absent if there is none.' }),
  })
  .meta({ title: 'Notification', description: 'A notification of Nereid, version 1. Fields may be added.' });

export type Notification = Stored<typeof notification>;

/** How it stands with a destination. One object, which its holder alone replaces. */
export interface DestinationState {
  readonly version: 1;
  /** The worker that delivers, and until when nobody else does, ISO 8601. */
  readonly holder?: { readonly id: string; readonly until: string };
  /** The digests of what was delivered last, the oldest first, so that it is not sent twice. Refused ones may be sent again. */
  readonly settled: readonly string[];
  /** What it was told of that it is told of once, the oldest first. Absent if that is nothing. */
  readonly announced?: readonly string[];
  /** Of a destination with several queues, that which has failed longest. */
  readonly failing?: Failing;
  /** The queues that take nothing at present. The others go on. Absent where a destination has one queue, or all are well. */
  readonly failingQueues?: Readonly<Record<string, Failing>>;
  /** The latest answer that nothing can be sent again for, until something is delivered. */
  readonly refused?: { readonly id: string; readonly at: string; readonly reason: string };
  readonly deliveredAt?: string;
  readonly lastAttempt?: LastAttempt;
  /** How many were dropped, because they were too many or too old. */
  readonly dropped: number;
  /** Notes of the destination's kind, by what they are about, the oldest first: such as the thread of a rollout. */
  readonly notes: readonly Note[];
}

/** The oldest waiting notification could not be delivered yet. */
export interface Failing {
  /** ISO 8601. */
  readonly since: string;
  readonly attempts: number;
  /** When it was tried last, and when it is tried again, ISO 8601. */
  readonly lastAt: string;
  readonly nextAt: string;
  readonly reason: string;
}

export interface LastAttempt {
  /** When its answer came, ISO 8601. */
  readonly at: string;
  readonly tookMs: number;
  /** Why it was not taken; absent if it was. */
  readonly reason?: string;
}

export interface Note {
  readonly about: string;
  readonly text: string;
}

const failing = z.object({ since: text, attempts: z.int(), lastAt: text, nextAt: text, reason: z.string() });

export const destinationState = partsOf<DestinationState>()(
  z.object({
    version: z.literal(1),
    holder: z.object({ id: text, until: text }).optional(),
    settled: z.array(text),
    announced: z.array(text).optional(),
    failing: failing.optional(),
    failingQueues: z.record(text, failing).optional(),
    refused: z.object({ id: text, at: text, reason: z.string() }).optional(),
    deliveredAt: text.optional(),
    lastAttempt: z.object({ at: text, tookMs: z.number(), reason: z.string().optional() }).optional(),
    dropped: z.int(),
    notes: z.array(z.object({ about: text, text: z.string() })),
  }),
);
