/** The fields that several answers of the API have. */
import { z } from 'zod';

/** `owner/name`. */
export const FullName = z
  .string()
  .regex(/^[\w.-]{1,39}\/[\w.-]{1,100}$/)
  .meta({ id: 'FullName', description: 'A repository as `owner/name`.', examples: ['acme/infra'] });

/** Of a repository. No path leads out of a folder. */
export const Owner = z.string().regex(/^(?!\.{1,2}$)[\w.-]{1,39}$/);
export const RepositoryName = z.string().regex(/^(?!\.{1,2}$)[\w.-]{1,100}$/);

export const RootName = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,99}$/)
  .meta({ id: 'RootName', description: 'The name of a root, unique in its repository.', examples: ['network'] });

/** A UUID, which a worker makes with its data folder; or whatever somebody wrote there. */
export const HostId = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,99}$/)
  .meta({ id: 'HostId', description: 'The id of a host, as the list of hosts has it.' });

/** A pool of hosts in the server's file, or `*` for all pools: every root runs in one, so those are all repositories. */
export const PoolName = z
  .string()
  .regex(/^(?:\*|[a-z0-9][a-z0-9-]{0,39})$/)
  .meta({ id: 'PoolName', description: 'A pool of hosts, or `*` for all of them.', examples: ['default'] });

/** ISO 8601 in UTC. */
export const Time = z.iso.datetime().meta({ id: 'Time', description: 'ISO 8601 in UTC.' });

/** A time, or a day in UTC, like `2026-11-22`, which counts as a whole. */
export const TimeOrDay = z.union([Time, z.iso.date()]);

/** Normally none. */
export const MissingDays = z.array(z.iso.date()).meta({
  description: 'Days in UTC that storage does not answer for: what happened then is not in the answer. Ask again.',
});

/** Cursors are opaque, and hold for as long as there is something behind them. */
export const Cursor = z.string().min(1).max(500);

/** The sources that did not answer: the list is as it was known before, or lacks the entries that only they know. */
export const Unavailable = z.array(z.enum(['storage', 'temporal']));
