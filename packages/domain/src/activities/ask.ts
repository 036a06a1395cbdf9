/** What hosts and the console ask control, each through a short workflow. */
import type { AccessActivities } from '../person/access.ts';
import type { LateOutcomeActivities } from '../deployment/workflows/late-outcome.ts';
import type { IdentityTokenActivities } from '../tokens/identity-token.ts';
import type { ReadTokenActivities } from '../tokens/read-token.ts';

/** On the queue `deploy`, for the `ask` workflow. */
export interface AskActivities
  extends ReadTokenActivities, IdentityTokenActivities, AccessActivities, LateOutcomeActivities {}

/** The start input of the `ask` workflow: what one of its activities is asked. Its result is the activity's. */
export type Question = {
  [Kind in keyof AskActivities]: { readonly kind: Kind; readonly about: Parameters<AskActivities[Kind]>[0] };
}[keyof AskActivities];
