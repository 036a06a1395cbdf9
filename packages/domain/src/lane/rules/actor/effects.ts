/** The next steps of a lane. At most one effect of work, one `show` and one `look` are under way at a time. */
import type { Reported } from '../../../deployment/check-run.ts';
import type { Unlock } from '../../../deployment/lock.ts';
import type { Cancel, Deployment } from '../../../deployment/model.ts';
import type { Notice } from '../../../deployment/notice.ts';
import type { Presentation } from '../../../deployment/presentation.ts';
import type { Signed } from '../../../signed.ts';
import type { DependentDeployment } from '../../../rollout/model.ts';
import type { Admission, Admitted, Settlement } from '../../activities.ts';

export type Effect =
  /** Work: reads the record. `shown` is the reason why the last read failed; any other reason is news. */
  | { readonly kind: 'read'; readonly shown: string | null; readonly awaited: 'news' | 'record' }
  /** Work: stores the lane and makes the comparisons that the popped deployment needs before it starts. */
  | { readonly kind: 'admit'; readonly deploymentId: string; readonly admission: Admission }
  /** Work: stores the changes of the lane. */
  | { readonly kind: 'settle'; readonly settlement: Settlement }
  /** Work: shows and stores the end that a terraform workflow returned. */
  | { readonly kind: 'end'; readonly deploymentId: string; readonly settlement: Settlement }
  /** Work: finds the state of a terraform workflow that this run of the lane did not start, or that gave no result. */
  | { readonly kind: 'find'; readonly deploymentId: string; readonly pool: string }
  /** Asks about the deployments in other lanes that these wait for. It takes the place of a question that is under way. */
  | { readonly kind: 'look'; readonly dependents: readonly DependentDeployment[] }
  /** Writes check runs to the forge. */
  | { readonly kind: 'show'; readonly presentations: readonly Presentation[] }
  /** Starts the terraform workflow of the running deployment, which shows the deployment from then on. */
  | ({
      readonly kind: 'start';
      readonly deployment: Deployment;
      readonly reported: Reported;
      readonly reviewRequired: boolean;
    } & Pick<Admitted, 'readToken'>)
  | { readonly kind: 'pass-on'; readonly passOn: PassOn }
  /** The deployment whose turn it is becomes the running one. */
  | { readonly kind: 'pop' }
  | { readonly kind: 'continue-as-new' }
  /** The workflow is over. */
  | { readonly kind: 'finish'; readonly how: 'idle' | 'cancelled' }
  /** There is nothing to do before a message comes, an effect ends, or this time is reached, in epoch milliseconds. */
  | { readonly kind: 'wait'; readonly until: number };

export type EffectOf<Kind extends Effect['kind']> = Extract<Effect, { readonly kind: Kind }>;

/** A message for a terraform workflow. That workflow writes the check run until it closes; then the lane does. */
export type PassOn =
  | { readonly kind: 'cancel'; readonly deploymentId: string; readonly cancellation?: Signed<Cancel> }
  | { readonly kind: 'notice'; readonly deploymentId: string; readonly notice: Signed<Notice> }
  /** The check run may be out of date, or the deployment's lock was lifted. */
  | {
      readonly kind: 'show-again';
      readonly deploymentId: string;
      readonly unlocked?: Signed<Unlock>;
      readonly tellsEnd?: boolean;
    };
