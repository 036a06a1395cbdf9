/** Settings that the server's file and a repository's file have in common. */
import { DISTRIBUTIONS, NETWORKS, ON_FAILURE, PLAN_REVIEWS, QUEUES } from '@nereid/domain/root';
import { advised, described, oneOf, text } from '../yaml/schema.ts';

export const PLAN_REVIEW = described(
  oneOf(PLAN_REVIEWS),
  'who reviews a plan with changes before it is applied: a person, after the merge; a person, [before the merge](reference/github.md#before-the-merge) or after it; nobody; a person if the plan destroys, replaces or forgets something',
  '`required`, `before_merge`, `auto`, `auto_unless_destroy` (`required`)',
);
export const QUEUE = described(
  oneOf(QUEUES),
  '`every`: each merged revision is deployed, in the order of the branch. `newest`: only the newest waiting revision is deployed, and the check runs of the older ones that it contains say so',
  '`every`, `newest` (`every`)',
);
export const AFTER_FAILURE = described(
  oneOf(ON_FAILURE),
  '`halt`: a failed apply [locks](reference/github.md#locks) the lane',
  '`continue`, `halt` (`continue`)',
);
export const NETWORK = oneOf(NETWORKS);
export const DISTRIBUTION = described(oneOf(DISTRIBUTIONS), '`tofu` is OpenTofu', "`terraform`, `tofu` (the server's)");

/** It becomes a part of the name of a queue. */
export const POOL_NAME = text('a name of lower-case letters, digits and "-", at most 40', /^[a-z0-9][a-z0-9-]{0,39}$/);

export const HOSTS = described(
  POOL_NAME,
  'the [hosts](guides/pools.md) that run the code; a repository may ask only for `allowed_hosts`, whatever `allowed_overrides` says',
  'a pool, or a label of one (`default`)',
);

export const workflowNamed = (expected: string) =>
  described(text(expected), 'the [steps](reference/server-file.md#workflows)', 'a name (`standard`)');

/** In quotes, because YAML reads 1.10 as 1.1. */
export const EXACT_VERSION = described(
  text('an exact version in quotes, like "1.11.4"', /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/),
  "without it, the newest version that the code's `required_version` allows, or else the server's version",
  'exact version in quotes',
);

export const HTTP_URL = text('an http or https URL without a query', /^https?:\/\/[^\s/?#@]+[^\s?#@]*$/);

/** Those on the way could read what is sent to any other, or put something else in its place. */
export const safeUrl = (remedy: string) =>
  HTTP_URL.regex(
    /^(?!http:\/\/)|^http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/]|$)/,
    advised('an https URL, or an http URL of this machine', remedy),
  );
