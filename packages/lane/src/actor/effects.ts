/** What a lane does next. At most one of the work and one of what is shown are under way at a time. */
import type { Admission, Deployment, Presentation, Reported, Settlement, Unlocked } from '@nereid/contracts';

export type Effect =
  /** Work: reads the record. `shown` is why it could not be read the last time; any other reason is news. */
  | { readonly kind: 'read'; readonly shown: string | null; readonly awaited: 'news' | 'record' }
  /** Work: whatever has to be known and stored before the popped deployment starts. */
  | { readonly kind: 'admit'; readonly deploymentId: string; readonly admission: Admission }
  /** Work: stores what changed. */
  | { readonly kind: 'settle'; readonly settlement: Settlement }
  /** Work: asks for a terraform workflow that this run of the lane did not start. */
  | { readonly kind: 'find'; readonly deploymentId: string }
  /** Tells GitHub. */
  | { readonly kind: 'show'; readonly presentations: readonly Presentation[] }
  /** Starts the terraform workflow of the running deployment, which shows the deployment from then on. */
  | {
      readonly kind: 'start';
      readonly deployment: Deployment;
      readonly reported: Reported;
      readonly reviewRequired: boolean;
    }
  | { readonly kind: 'pass-on'; readonly passOn: PassOn }
  /** The deployment whose turn it is becomes the running one. */
  | { readonly kind: 'pop' }
  | { readonly kind: 'continue-as-new' }
  /** The workflow is over. */
  | { readonly kind: 'finish'; readonly how: 'idle' | 'cancelled' }
  /** Nothing is to be done before a message comes, something ends, or this time, in epoch milliseconds. */
  | { readonly kind: 'wait'; readonly until: number };

export type EffectOf<Kind extends Effect['kind']> = Extract<Effect, { readonly kind: Kind }>;

/** A message for a terraform workflow. That workflow writes the check run until it closes; from then on the lane does. */
export type PassOn =
  | { readonly kind: 'cancel'; readonly deploymentId: string; readonly by: string | undefined }
  | { readonly kind: 'notice'; readonly deploymentId: string; readonly sentence: string }
  /** Its check run may not say what it should, or its lock was lifted. */
  | { readonly kind: 'show-again'; readonly deploymentId: string; readonly unlocked?: Unlocked };
