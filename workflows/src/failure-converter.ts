/**
 * The converter of failures in the sandbox of workflows, which sees no settings: where the worker seals payloads, it sets a global
 * before the bundle runs. What a failure says changes no decision, so replays do not depend on it.
 */
import { SEALS_FAILURES } from '@nereid/domain/temporal-names';
import { DefaultFailureConverter } from '@temporalio/common';

export const failureConverter = new DefaultFailureConverter({
  encodeCommonAttributes: Reflect.get(globalThis, SEALS_FAILURES) === true,
});
