import type { Problem } from './contract.ts';

/** Where GitHub's description is wrong about what GitHub sends: by the place and the message of the problem. */
const KNOWN_ERRORS: readonly (readonly [field: RegExp, message: RegExp])[] = [
  // The list of events in check_suite webhooks ends before merge queues came; Apps that subscribe to them are told so.
  [/\/app\/events\/\d+$/, /allowed values/],
  // `allOf` a person and an enterprise, where one of the two is meant (as `GET /app/installations/{id}` has it).
  [/^answer(\/\d+)?\/account$/, /required property|must be null|anyOf/],
  // A deployment status without addresses has empty ones.
  [/\/(target|log|environment)_url$/, /format "uri"/],
];

export function isKnownError({ field, message }: Problem): boolean {
  return KNOWN_ERRORS.some(([place, text]) => place.test(field) && text.test(message));
}
