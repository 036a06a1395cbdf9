import type { Problem } from './problem.ts';

/** Errors of GitHub's description about the data that GitHub sends, by the place and the message of the problem. */
const KNOWN_ERRORS: readonly (readonly [field: RegExp, message: RegExp])[] = [
  // The list of events in check_suite webhooks is older than merge queues; an App that subscribes to theirs breaks it.
  [/\/app\/events\/\d+$/, /allowed values/],
  // The description says `allOf` a person and an enterprise, but means one of the two, as `GET /app/installations/{id}` does.
  [/^answer((\/installations)?\/\d+)?\/account$/, /required property|must be null|anyOf/],
  // A deployment status without addresses has empty strings.
  [/\/(target|log|environment)_url$/, /format "uri"/],
];

export function isKnownError({ field, message }: Problem): boolean {
  return KNOWN_ERRORS.some(([place, text]) => place.test(field) && text.test(message));
}
