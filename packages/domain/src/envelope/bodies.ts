import type { AccessAnswer } from '../person/access.ts';
import type { Go } from '../deployment/job/host-job.ts';
import type { LateOutcome } from '../deployment/workflows/late-outcome.ts';
import type { Unlock } from '../deployment/lock.ts';
import type { Notice } from '../deployment/notice.ts';
import type { Order } from '../deployment/order.ts';
import type { Redaction } from '../deployment/redaction.ts';
import type { ForceUnlocked, ForceUnlockOrder } from '../deployment/workflows/force-unlock.ts';
import type { WaveChecked, WaveCheckOrder } from '../deployment/workflows/wave-check.ts';
import type { HostOutcome } from '../deployment/job/apply-outcome.ts';
import type { BreakGlass } from '../plan/break-glass.ts';
import type { SkippedSoak } from '../gates/clock/soak.ts';
import type { PoolStop, Stop } from '../gates/clock/stop.ts';
import type { WaveChecks } from '../gates/clock/wave-checks.ts';
import type { Claim } from '../host/claim.ts';
import type { HostFailure } from '../host/failure.ts';
import type { ReceivedEvent } from '../intake/intake.ts';
import type { JudgedAction } from '../intake/user-action.ts';
import type { MergeReview } from '../plan/merge-review.ts';
import type { MadePlan } from '../plan/model.ts';
import type { PolicyOverride } from '../plan/policy.ts';
import type { PlanReview, ReviewExtension } from '../plan/review.ts';
import type { Repository } from '../root/repository.ts';
import type { SealedIdentityToken } from '../tokens/identity-token.ts';
import type { SealedReadToken } from '../deployment/job/sealed-read-token.ts';
import type { AboutField, EnvelopeKind, HolderOf } from './envelopes.ts';
import type { Cancel } from '../deployment/model.ts';

/** What stands in each kind of envelope. */
interface Bodies {
  readonly 'event/github': ReceivedEvent;
  readonly 'request/person': ReceivedEvent;
  readonly 'order/deploy': Order;
  readonly 'order/preview': Order;
  readonly 'order/force-unlock': ForceUnlockOrder;
  readonly 'order/wave-check': WaveCheckOrder;
  readonly 'decision/action': JudgedAction;
  readonly 'decision/access': AccessAnswer;
  readonly 'decision/notice': Notice;
  readonly 'decision/cancel': Cancel;
  readonly 'decision/unlock': Unlock;
  readonly 'decision/review': PlanReview;
  readonly 'decision/override': PolicyOverride;
  readonly 'decision/extension': ReviewExtension;
  readonly 'decision/merge-review': MergeReview;
  readonly 'decision/redaction': Redaction;
  readonly 'decision/stop': Stop;
  readonly 'decision/pool-stop': PoolStop;
  readonly 'decision/break-glass': BreakGlass;
  readonly 'decision/skip-soak': SkippedSoak;
  readonly 'decision/wave-checks': WaveChecks;
  readonly 'go/apply': Go;
  readonly 'token/read': SealedReadToken;
  readonly 'token/identity': SealedIdentityToken;
  readonly 'claim/host': Claim;
  readonly 'result/plan': MadePlan;
  readonly 'result/outcome': HostOutcome;
  readonly 'result/failure': HostFailure;
  readonly 'result/force-unlocked': ForceUnlocked;
  readonly 'result/wave-checked': WaveChecked;
  readonly 'result/late-outcome': LateOutcome;
}

export type BodyOf<Kind extends EnvelopeKind> = Bodies[Kind];

/**
 * The expected subject of an envelope, as known to the process that opens it. A repository is its owner and its name. For a
 * host's word, it is the pool whose hosts can say it as well.
 */
export type AboutOf<Kind extends EnvelopeKind> = {
  readonly [Field in AboutField<Kind>]: Field extends 'repository'
    ? Pick<Repository, 'owner' | 'name'>
    : BodyOf<Kind>[Field & keyof BodyOf<Kind>];
} & (HolderOf<Kind> extends 'pool' ? { readonly pool: string } : unknown);
