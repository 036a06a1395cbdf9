/** The logs of a deployment's jobs: as text, and as they grow. */
import { z } from 'zod';
import { eventOf } from './event-stream.ts';

export const JOB_NAMES = ['plan', 'apply'] as const;
export const JobName = z.enum(JOB_NAMES).meta({ id: 'JobName' });
export type JobName = z.infer<typeof JobName>;

export const JobLog = z.string().meta({
  id: 'JobLog',
  description: 'The log as plain text, without the commands to terminals that a program wrote.',
});

/** Text and how it looks: `bold`, `dim`, `italic`, `underline`, `fg-0` to `fg-15`, `bg-0` to `bg-15`, separated by spaces. */
export const LogSegment = z.tuple([z.string(), z.string()]).meta({ id: 'LogSegment' });
export type LogSegment = z.infer<typeof LogSegment>;

/** The `data` of each event, by the event's name. A client that comes back sends the `id` of the last event that has one. */
export const LOG_EVENTS = {
  /** How many bytes of the log are left out at its beginning; only where no place was named. */
  start: z.object({ skippedBytes: z.int() }),
  output: z.object({ segments: z.array(LogSegment) }),
  /** So many bytes are left out here, because the client is too slow for them; only with `tail`. */
  skipped: z.object({ bytes: z.int() }),
  /** The log is complete, but for these bytes. */
  ended: z.object({ lostBytes: z.int() }),
  /** The job ended, and the rest of its log never came. */
  'broke-off': z.object({}),
} as const;

export const LogEvent = eventOf(LOG_EVENTS).meta({
  id: 'LogEvent',
  description:
    'The stream ends after `ended` or `broke-off`; when it ends without them, come back with the id of the last event in Last-Event-ID.',
});
