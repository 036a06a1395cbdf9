/** Settings that the server's file and a repository's file have in common. */
import { DISTRIBUTIONS, NETWORKS, ON_FAILURE, PLAN_REVIEWS, QUEUES } from '@nereid/domain/root';
import { advised, oneOf, text } from '../yaml/schema.ts';

export const PLAN_REVIEW = oneOf(PLAN_REVIEWS);
export const QUEUE = oneOf(QUEUES);
export const AFTER_FAILURE = oneOf(ON_FAILURE);
export const NETWORK = oneOf(NETWORKS);
export const DISTRIBUTION = oneOf(DISTRIBUTIONS);

/** It becomes a part of the name of a queue. */
export const POOL_NAME = text('a name of lower-case letters, digits and "-", at most 40', /^[a-z0-9][a-z0-9-]{0,39}$/);

/** In quotes, because YAML reads 1.10 as 1.1. */
export const EXACT_VERSION = text('an exact version in quotes, like "1.11.4"', /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/);

export const HTTP_URL = text('an http or https URL without a query', /^https?:\/\/[^\s/?#@]+[^\s?#@]*$/);

/** Those on the way could read what is sent to any other, or put something else in its place. */
export const safeUrl = (remedy: string) =>
  HTTP_URL.regex(
    /^(?!http:\/\/)|^http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/]|$)/,
    advised('an https URL, or an http URL of this machine', remedy),
  );
