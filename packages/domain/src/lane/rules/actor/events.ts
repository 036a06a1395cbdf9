/** The events of a lane: messages, and the beginning and end of each effect. Nothing else changes a lane. */
import type { Unlock } from '../../../deployment/lock.ts';
import type { Notice } from '../../../deployment/notice.ts';
import type { Signed } from '../../../signed.ts';
import type { Shown } from '../../../deployment/presentation.ts';
import type { DeploymentRequest } from '../../../deployment/request.ts';
import type { DependenciesFound } from '../../../rollout/model.ts';
import type { Admitted, LaneRead, LaneStored, ReturnedEnd, Settled, TerraformFound } from '../../activities.ts';
import type { DeploymentEnded } from '../../messages.ts';
import type { Effect, EffectOf, PassOn } from './effects.ts';
import type { Cancel } from '../../../deployment/model.ts';

export type LaneEvent = LaneMessage | LaneEnd | { readonly kind: 'begun'; readonly effect: Effect } | CancelRequested;

/** A message from a person, the forge or a terraform workflow. `at` is when it came, ISO 8601. */
export type LaneMessage =
  /** `id` is that of the deployment, should the request become one. */
  | { readonly kind: 'new-revision'; readonly at: string; readonly id: string; readonly request: DeploymentRequest }
  | { readonly kind: 'unlock'; readonly at: string; readonly message: Signed<Unlock> }
  | { readonly kind: 'cancel'; readonly at: string; readonly message: Signed<Cancel> }
  | { readonly kind: 'notice'; readonly at: string; readonly message: Signed<Notice> }
  | { readonly kind: 'deployment-ended'; readonly at: string; readonly message: DeploymentEnded }
  /** What waiting deployments wait for may have changed. With `isToShow`, what their check runs say besides has. */
  | { readonly kind: 'look-again'; readonly at: string; readonly isToShow?: true };

/** Somebody cancelled the lane's workflow. */
export interface CancelRequested {
  readonly kind: 'cancel-requested';
  readonly at: string;
}

/** The end of an effect. `why` is for people. */
export type LaneEnd =
  | { readonly kind: 'read'; readonly read: LaneRead }
  | { readonly kind: 'admitted'; readonly effect: EffectOf<'admit'>; readonly admitted: Admitted }
  | { readonly kind: 'settled'; readonly effect: EffectOf<'settle'>; readonly stored: LaneStored }
  | { readonly kind: 'ended'; readonly effect: EffectOf<'end'>; readonly settled: Settled }
  | { readonly kind: 'found'; readonly deploymentId: string; readonly found: TerraformFound }
  | { readonly kind: 'shown'; readonly effect: EffectOf<'show'>; readonly results: readonly Shown[] }
  | { readonly kind: 'looked'; readonly effect: EffectOf<'look'>; readonly found: readonly DependenciesFound[] }
  | { readonly kind: 'started'; readonly deploymentId: string }
  /** The terraform workflow runs already, or ran before. */
  | { readonly kind: 'already-started'; readonly deploymentId: string }
  /** The terraform workflow that this run of the lane started has closed. Without a `result`, it was ended by force. */
  | { readonly kind: 'closed'; readonly deploymentId: string; readonly result?: ReturnedEnd }
  | { readonly kind: 'passed-on'; readonly passOn: PassOn; readonly isThere: boolean }
  | { readonly kind: 'failed'; readonly effect: Effect; readonly why: string };
