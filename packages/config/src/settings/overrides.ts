/** The keys that a repository's own file may be allowed to set, as they are written there. */
export const OVERRIDES = [
  'plan_review',
  'workflow',
  'terraform_version',
  'distribution',
  'queue',
  'on_failure',
  'timeout',
] as const;
export type Override = (typeof OVERRIDES)[number];

/** The setting behind each override. */
export const SETTING_OF_OVERRIDE = {
  plan_review: 'planReview',
  workflow: 'workflow',
  terraform_version: 'terraformVersion',
  distribution: 'distribution',
  queue: 'queue',
  on_failure: 'onFailure',
  timeout: 'timeoutMs',
} as const satisfies Record<Override, string>;
