/** Settings that the server's file and a repository's file have in common. */
import { oneOf, text } from '../yaml/schema.ts';

export const PLAN_REVIEW = oneOf(['required', 'before_merge', 'auto', 'auto_unless_destroy']);
export const QUEUE = oneOf(['every', 'newest']);
export const ON_FAILURE = oneOf(['continue', 'halt']);
export const DISTRIBUTION = oneOf(['terraform', 'tofu']);

/** In quotes, because YAML reads 1.10 as 1.1. */
export const EXACT_VERSION = text('an exact version in quotes, like "1.11.4"', /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/);
