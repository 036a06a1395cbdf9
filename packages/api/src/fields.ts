/** The fields that several answers have. */
import { z } from 'zod';

/** `owner/name`. */
export const FullName = z
  .string()
  .regex(/^[\w.-]{1,39}\/[\w.-]{1,100}$/)
  .meta({ id: 'FullName', description: 'A repository as `owner/name`.', examples: ['acme/infra'] });

export const RootName = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,99}$/)
  .meta({ id: 'RootName', description: 'The name of a root, unique in its repository.', examples: ['network'] });

export const DeploymentId = z.uuid().meta({ id: 'DeploymentId', description: 'The id of a deployment.' });

/** 40 hex digits. */
export const Sha = z
  .string()
  .regex(/^[\da-f]{40}$/)
  .meta({ id: 'Sha', description: 'A commit, 40 hex digits.' });

/** ISO 8601 in UTC. */
export const Time = z.iso.datetime().meta({ id: 'Time', description: 'ISO 8601 in UTC.' });

/** A GitHub login; for commits that GitHub knows no login of, the name that the commit has. Hostile. */
export const Login = z.string();

export const PullRequestNumber = z.int().min(1).max(999_999_999);

/** A sentence that says why something waits, with a link to what it waits for. */
export const Wait = z
  .object({
    sentence: z.string(),
    /** Relative to the console's top, or an address on GitHub. */
    href: z.string().optional(),
    since: Time.optional(),
    until: Time.optional(),
  })
  .meta({ id: 'Wait' });
export type Wait = z.infer<typeof Wait>;

/** A commit, as lists show it. */
export const RevisionSummary = z
  .object({
    sha: Sha,
    branch: z.string(),
    /** The first line of its message, at most 200 characters. Hostile. */
    title: z.string(),
    author: Login,
  })
  .meta({ id: 'RevisionSummary' });
export type RevisionSummary = z.infer<typeof RevisionSummary>;

/** The sources that did not answer: the rest of the answer may be out of date. */
export const Unavailable = z.array(z.enum(['temporal', 'workers', 'storage'])).meta({ id: 'Unavailable' });

/** Cursors are opaque, and hold for as long as there is something behind them. */
export const Cursor = z.string().max(500);

/** One page of a list: `next` is absent on the last one. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next: Cursor.optional(), unavailable: Unavailable });
}
