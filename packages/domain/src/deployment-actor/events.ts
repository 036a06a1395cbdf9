/** The events of a deployment: messages, and the beginning and end of each effect. Nothing else changes a deployment. */
import { APPROVAL_EXPIRED, PAYLOAD_KEY_MISSING, PLAN_TOO_OLD, SLOT_NEEDED, WORKER_LOST } from '../temporal-names.ts';
import type { GateWait } from '../gates/waits/gate-wait.ts';
import type { AtWork } from '../host/claim.ts';
import type { Notice } from '../deployment/notice.ts';
import type { ShowAgain } from '../deployment/terraform-workflow.ts';
import type { Signed } from '../signed.ts';
import type { Answers, Asking, AskingOf, DeploymentEffect } from './effects.ts';
import type { Press } from './press.ts';
import type { Cancel } from '../deployment/model.ts';

export type DeploymentEvent =
  | { readonly kind: 'press'; readonly press: Press }
  | { readonly kind: 'cancelling'; readonly message: Signed<Cancel> }
  | { readonly kind: 'notice'; readonly message: Signed<Notice> }
  | { readonly kind: 'show-again'; readonly message: ShowAgain }
  /** Somebody says that a closed gate may be open. */
  | { readonly kind: 'ask-again' }
  | { readonly kind: 'begun'; readonly effect: DeploymentEffect }
  | { readonly kind: 'cancel-requested'; readonly at: string }
  | Answered
  | { readonly kind: 'failed'; readonly effect: Asking; readonly failure: EffectFailure };

export type Answered = { readonly [Kind in keyof Answers]: AnsweredOf<Kind> }[keyof Answers];

export interface AnsweredOf<Kind extends keyof Answers> {
  readonly kind: 'answered';
  readonly of: Kind;
  readonly effect: AskingOf<Kind>;
  readonly answer: Answers[Kind];
}

/** Why an effect has no answer. */
export interface EffectFailure {
  /** `not taken`: nobody began it in time. `lost`: it began, and nobody knows of it any more. `refused`: for good. */
  readonly kind: 'cancelled' | 'not taken' | 'lost' | 'refused' | 'failed';
  /** The class of a failure that somebody named. */
  readonly code?: string;
  /** For people. */
  readonly why: string;
  /** The host that was at work, where the failure names it. */
  readonly host?: AtWork;
  /** A gate is closed, at which the deployment keeps waiting. */
  readonly closed?: GateWait;
}

/** Whether nothing was applied, because nobody began, or the host did not accept it. */
export function didNotStart({ kind, code = '' }: EffectFailure): boolean {
  return kind === 'not taken' || ['HOST_DECLINED', PAYLOAD_KEY_MISSING, 'FORGED', 'GO_EXPIRED'].includes(code);
}

/** Whether the host did not answer, fell silent, or came back and said that it was lost. */
export function isHostLost({ kind, code }: EffectFailure): boolean {
  return kind === 'not taken' || kind === 'lost' || code === WORKER_LOST;
}

/** Whether a signature was missing or wrong. */
export function isForged({ code }: EffectFailure): boolean {
  return code === 'FORGED';
}

/** Whether the plan, or its confirmation, is too old: it is made again, and asked again, before anything is applied. */
export function isPlanTooOld({ code }: EffectFailure): boolean {
  return code === PLAN_TOO_OLD || code === APPROVAL_EXPIRED;
}

/** Whether the host interrupted a preview because a deployment needed its slot. */
export function wasSlotNeeded({ code }: EffectFailure): boolean {
  return code === SLOT_NEEDED;
}
