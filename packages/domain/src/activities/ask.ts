/** What hosts and the console ask control, and what control asks itself, each through a short workflow. */
import type { AccessActivities } from '../person/access.ts';
import type { LateOutcomeActivities } from '../deployment/workflows/late-outcome.ts';
import type { RevertActivities } from '../deployment/workflows/prepare-revert.ts';
import type { InParts } from '../parts.ts';
import type { IdentityTokenActivities } from '../tokens/identity-token.ts';
import type { ReadTokenActivities } from '../tokens/read-token.ts';

/** On the queue `deploy`, for the `ask` workflow. */
export interface AskActivities {
  answer: InParts<Answers>;
}

/** By the kind of the question. */
export interface Answers
  extends ReadTokenActivities, IdentityTokenActivities, AccessActivities, LateOutcomeActivities, RevertActivities {}

/** The start input of the `ask` workflow. Its result is the answer. */
export type Question = {
  [Kind in keyof Answers]: { readonly kind: Kind; readonly about: Parameters<Answers[Kind]>[0] };
}[keyof Answers];
