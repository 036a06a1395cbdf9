/** What people ask for: the fields of requests that change something, and their answer. */
import { DIRECTORIES_LIMIT, REASON_LIMIT, STOP_LENGTH, STOP_LENGTH_FORM } from '@nereid/domain/actions';
import { REQUESTED_ROOTS_LIMIT } from '@nereid/domain/intake';
import { z } from 'zod';
import { RootName } from '@nereid/domain/fields';

/** SHA-256 of everything that is shown of a plan, as `seen` in the answer that shows it. */
export const Seen = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ description: '`seen` of the plan that was looked at: another plan is not answered.' });

export const Revision = z
  .string()
  .regex(/^[0-9a-f]{40}$/)
  .meta({ description: 'A commit of the deployed branch.' });

export const Roots = z.array(RootName).min(1).max(REQUESTED_ROOTS_LIMIT);

export const SomeRoots = z
  .array(RootName)
  .max(REQUESTED_ROOTS_LIMIT)
  .default([])
  .meta({ description: 'None: all that the pull request modifies.' });

export const Lock = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: '`deploymentId` of the lock that was looked at: another lock stays.' });

export const Duration = z
  .string()
  .regex(STOP_LENGTH_FORM, 'not a time in minutes, hours or days, like 30m, 2h or 7d')
  .meta({ description: `How long: from \`${STOP_LENGTH.shortest}\` to \`${STOP_LENGTH.longest}\`.` });

/** Without characters that nobody sees. Written so that tools of others can make examples of it. */
const READABLE = /^[ -~\u00a0-\u00ac\u00ae-\u200a\u2010-\u2027\u202f-\u205f\u2070-\ufefe\uff00-\ufffd]+$/;

export const Reason = z.string().regex(READABLE).max(REASON_LIMIT).meta({ description: 'For everybody who waits.' });

export const Directories = z
  .array(z.string().regex(/^(?!name:)[\w.*?{},[\]/-]{1,200}$/))
  .max(DIRECTORIES_LIMIT)
  .default([])
  .meta({ description: 'Directories, or globs of them. None: the whole repository.' });

export const WaveNumber = z.int().min(1).max(100).meta({ description: 'The number of the wave that others wait for.' });

export const NoBody = z.strictObject({}).meta({ id: 'NoBody' });

/** The outcome of a request. */
export const RequestAnswer = z
  .object({
    id: z.string(),
    /** `pending`: it is under way; ask for it again. */
    state: z.enum(['accepted', 'pending']),
    /** For the person who asked. */
    sentence: z.string(),
    /** The deployments that were ordered, at most 100; absent when there are none. They appear in their lanes a moment later. */
    deployments: z.array(z.object({ id: z.string(), rootName: z.string() })).optional(),
  })
  .meta({ id: 'RequestAnswer' });
export type RequestAnswer = z.infer<typeof RequestAnswer>;
