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
import type { Cancel } from '../deployment/model.ts';

/** Whose key signs it: the key of the gateway, of the console, of control (`orders`), or of the hosts of a pool. */
export type Holder = 'gateway' | 'console' | 'orders' | 'pool';

interface Row<Body> {
  readonly signedBy: Holder;
  /** The fields of the body that say what it is about: whoever opens it has to name them. */
  readonly about: readonly (keyof Body & string)[];
  /** For the table of the documentation, in Markdown. */
  readonly says: string;
  /** What happens only after its verification; likewise. */
  readonly verifiedBefore: string;
  /** For its type alone: no row has one. */
  readonly body?: Body;
}

function envelope<Body>() {
  return <const Own extends Row<Body>>(row: Own): Own & Pick<Row<Body>, 'body'> => row;
}

/**
 * Who says what: a row for each kind of envelope. A kind stands in the type of the signature, so that one is never taken for another.
 *
 * - `event`: the forge sent it. `request`: a person made it in the console.
 * - `order`: control's word for a host, which knows nothing else about its task. `go`: permission to apply. `token`: sealed to a pool.
 * - `decision`: control's findings about people, and their wishes.
 * - `claim`: a host has a deployment. `result`: its work is over.
 */
export const ENVELOPES = {
  'event/github': envelope<ReceivedEvent>()({
    signedBy: 'gateway',
    about: [],
    says: 'an event: that GitHub sent it, when, and who pressed',
    verifiedBefore: 'the event is accepted; it expires after three days',
  }),
  'request/person': envelope<ReceivedEvent>()({
    signedBy: 'console',
    about: [],
    says: "what a person asked for, with the person's own proof in it, sealed to `control`",
    verifiedBefore: 'the request is accepted; it expires after an hour',
  }),
  'order/deploy': envelope<Order>()({
    signedBy: 'orders',
    about: [],
    says: 'an order: repository, root with all its steps, revision, who asked; valid for [400 days](#orders)',
    verifiedBefore: 'a host runs any of its steps; permission to apply',
  }),
  'order/preview': envelope<Order>()({
    signedBy: 'orders',
    about: [],
    says: 'the order of a preview, valid for an hour: a separate kind of signature, so that nothing takes it for an order',
    verifiedBefore: 'a host plans the merged result; never permission to apply',
  }),
  'order/force-unlock': envelope<ForceUnlockOrder>()({
    signedBy: 'orders',
    about: [],
    says: 'the order to free one lock of a state, valid for ten minutes: also a separate kind of signature',
    verifiedBefore: 'a host runs `force-unlock`; the answer to the comment',
  }),
  'result/force-unlocked': envelope<ForceUnlocked>()({
    signedBy: 'pool',
    about: ['forceUnlockId', 'order'],
    says: 'the result of that order',
    verifiedBefore: 'the answer to the comment, the audit trail',
  }),
  'order/wave-check': envelope<WaveCheckOrder>()({
    signedBy: 'orders',
    about: [],
    says: 'the order to run a check of a wave in a root, valid for fifteen minutes: also a separate kind of signature',
    verifiedBefore: 'a host runs its command; the result counts',
  }),
  'result/wave-checked': envelope<WaveChecked>()({
    signedBy: 'pool',
    about: ['waveCheckId', 'order'],
    says: 'the result of that order',
    verifiedBefore: 'it counts as an answer of the check',
  }),
  'claim/host': envelope<Claim>()({
    signedBy: 'pool',
    about: ['deploymentId', 'hostId'],
    says: 'a claim: that this host took this deployment',
    verifiedBefore: 'permission to apply, which names the host',
  }),
  'result/plan': envelope<MadePlan>()({
    signedBy: 'pool',
    about: ['deploymentId', 'order'],
    says: "a plan: its order, the digests of file and text, whether it has changes, its summary, its state, policies' verdicts",
    verifiedBefore: 'a person is asked; permission to apply',
  }),
  'decision/review': envelope<PlanReview>()({
    signedBy: 'orders',
    about: ['deploymentId'],
    says: 'a review: the person, after GitHub said that they may, their teams, and the plan',
    verifiedBefore: 'it counts, is shown or audited',
  }),
  'decision/override': envelope<PolicyOverride>()({
    signedBy: 'orders',
    about: ['deploymentId'],
    says: 'an override: the person, after GitHub said that they own these policies, and the plan',
    verifiedBefore: 'it counts, is shown or audited; permission to apply',
  }),
  'decision/merge-review': envelope<MergeReview>()({
    signedBy: 'orders',
    about: ['rootName'],
    says: 'a review before the merge: the person, the preview and its plan, the files, and the state of the lane',
    verifiedBefore: 'an order of the merge names it; the review of its deployment',
  }),
  'decision/redaction': envelope<Redaction>()({
    signedBy: 'orders',
    about: ['deploymentId'],
    says: 'that [a person was forgotten](../operate/retention.md#have-a-person-forgotten) in a record',
    verifiedBefore: 'never: for auditors',
  }),
  'decision/stop': envelope<Stop>()({
    signedBy: 'orders',
    about: ['repository'],
    says: 'a stop: the person, after GitHub said that they may, the repository, the reason, and its end',
    verifiedBefore: 'it holds back a plan or permission to apply',
  }),
  'decision/pool-stop': envelope<PoolStop>()({
    signedBy: 'orders',
    about: ['pool'],
    says: 'a stop of a pool, or of all repositories: the operator, the pool, the reason, and its end',
    verifiedBefore: 'it holds back a plan or permission to apply',
  }),
  'decision/break-glass': envelope<BreakGlass>()({
    signedBy: 'orders',
    about: ['repository', 'deploymentId'],
    says: 'that a person lets a deployment pass stops and windows, the plan, and the reason',
    verifiedBefore: 'it lets a plan or permission to apply pass, is shown',
  }),
  'decision/skip-soak': envelope<SkippedSoak>()({
    signedBy: 'orders',
    about: ['repository', 'rollout'],
    says: 'that a person skips a wave of a merge: the rollout, the number of the wave, and the reason',
    verifiedBefore: 'the next wave goes',
  }),
  'decision/wave-checks': envelope<WaveChecks>()({
    signedBy: 'orders',
    about: ['repository', 'rollout', 'wave'],
    says: 'what came of the checks of a wave: the rollout, the number of the wave, and each answer',
    verifiedBefore: 'the next wave goes, or waits',
  }),
  'go/apply': envelope<Go>()({
    signedBy: 'orders',
    about: ['deploymentId', 'order'],
    says: 'a _go_, the permission to apply: which plan, on which host, in which job; [until when](#permission)',
    verifiedBefore: 'a host applies',
  }),
  'result/outcome': envelope<HostOutcome>()({
    signedBy: 'pool',
    about: ['deploymentId', 'order'],
    says: 'an outcome: the job, and how its apply ended',
    verifiedBefore: 'it is shown, stored or audited',
  }),
  'decision/access': envelope<AccessAnswer>()({
    signedBy: 'orders',
    about: ['login', 'repositories', 'nonce'],
    says: 'the repositories that a person may read, in answer to one question',
    verifiedBefore: 'a page shows them',
  }),
  'decision/action': envelope<JudgedAction>()({
    signedBy: 'orders',
    about: ['delivery'],
    says: "an action: a person's request, and the answer",
    verifiedBefore: 'it is audited',
  }),
  'token/read': envelope<SealedReadToken>()({
    signedBy: 'orders',
    about: ['repository', 'deploymentId'],
    says: 'a token to read a repository, sealed, and its deployment',
    verifiedBefore: 'a host fetches with it',
  }),
  'token/identity': envelope<SealedIdentityToken>()({
    signedBy: 'orders',
    about: ['repository', 'deploymentId', 'phase', 'go'],
    says: "the token of a [job's identity](../guides/identities.md), sealed, and its deployment and permission",
    verifiedBefore: 'a host gives it to the job',
  }),
  'decision/notice': envelope<Notice>()({
    signedBy: 'orders',
    about: ['deploymentId'],
    says: 'a sentence for the check run of a deployment',
    verifiedBefore: 'it is shown',
  }),
  'decision/cancel': envelope<Cancel>()({
    signedBy: 'orders',
    about: ['deploymentId'],
    says: 'a cancellation: the person, after GitHub said that they may, and the deployment to end',
    verifiedBefore: 'the person is named on its check run or in its record',
  }),
  'decision/extension': envelope<ReviewExtension>()({
    signedBy: 'orders',
    about: ['deploymentId'],
    says: 'that a plan waits for its review for longer: the person, after GitHub said that they may, the plan, and the time',
    verifiedBefore: 'the deployment waits',
  }),
  'decision/unlock': envelope<Unlock>()({
    signedBy: 'orders',
    about: ['repository', 'rootName'],
    says: 'an unlock: the person, after GitHub said that they may, the lane to unlock, and the time',
    verifiedBefore: 'the person is named on a check run or in a record',
  }),
  'result/failure': envelope<HostFailure>()({
    signedBy: 'pool',
    about: ['deploymentId', 'order'],
    says: "why the plan or the apply of an order failed: Terraform's lines, and the lock of the state that it met",
    verifiedBefore: 'it is shown or stored',
  }),
  'result/late-outcome': envelope<LateOutcome>()({
    signedBy: 'pool',
    about: [],
    says: 'the late outcome of an apply that had been given up',
    verifiedBefore: 'it is shown',
  }),
} as const;

type Rows = typeof ENVELOPES;

/** Such as `result/late-outcome`. */
export type EnvelopeKind = keyof Rows;

export const ENVELOPE_KINDS = Object.keys(ENVELOPES) as readonly EnvelopeKind[]; // Its keys.

export function holderOf(kind: EnvelopeKind): Holder {
  return ENVELOPES[kind].signedBy;
}

export function aboutFieldsOf(kind: EnvelopeKind): readonly string[] {
  return ENVELOPES[kind].about;
}

/** Resolved for each kind, so that generic code can index them. */
type Bodies = { readonly [Kind in EnvelopeKind]: NonNullable<Rows[Kind]['body']> };

export type BodyOf<Kind extends EnvelopeKind> = Bodies[Kind];

/**
 * The expected subject of an envelope, as known to the process that opens it. A repository is its owner and its name. For a
 * host's word, it is the pool whose hosts can say it as well.
 */
export type AboutOf<Kind extends EnvelopeKind> = {
  readonly [Field in Rows[Kind]['about'][number]]: Field extends 'repository'
    ? Pick<Repository, 'owner' | 'name'>
    : BodyOf<Kind>[Field & keyof BodyOf<Kind>];
} & (Rows[Kind]['signedBy'] extends 'pool' ? { readonly pool: string } : unknown);
