/** Why a deployment of a lane does not go on, for people who ask. */
import { PERMISSION_KEYS, rowOfRule, type PermissionKey } from '../../../actions/actions.ts';
import { defined } from '../../../defined.ts';
import type { Deployment } from '../../../deployment/model.ts';
import { readWaitAtGate, type OtherReason, type Unblocker, type WaitReason } from '../../../deployment/wait-reason.ts';
import { haltingRootIn } from '../../../gates/clock/describe-wave.ts';
import { canBreakGlass } from '../../../gates/clock/glass-for.ts';
import { describeRule } from '../../../gates/describe-rule.ts';
import { objectingPolicies } from '../../../gates/objecting-policies.ts';
import type { GateFacts } from '../../../gates/gates.ts';
import { waitsOf, type Wait } from '../../../gates/waits/waits-of.ts';
import { fullName } from '../../../root/repository.ts';
import type { LaneView } from '../../view.ts';
import { waitIn } from './view.ts';

interface ExplainedWait {
  readonly gate: WaitReason;
  /** What it waits for. May quote names from outside: hostile. */
  readonly sentence: string;
  /** Who or what can end the wait. */
  readonly who: readonly string[];
  /** When the wait ends by itself, ISO 8601. */
  readonly endsAt?: string;
}

/** What may hold up its next plan or apply besides, as far as the person who asks may know. */
type KnownFacts = Partial<Pick<GateFacts, 'stop' | 'window'>>;

/** None for a deployment that is at work, or about to begin. `now` is in epoch milliseconds. */
export function explainWaits(
  view: LaneView,
  deployment: Deployment,
  now: number,
  facts: KnownFacts = {},
): readonly ExplainedWait[] {
  const isRunning = view.running?.id === deployment.id;
  const place = isRunning ? {} : { lock: view.lock, ahead: waitIn(view, deployment).ahead };
  const waits = waitsOf(deployment, { ...place, ...facts }, now);
  const ofLane = isRunning || waits.length > 0 ? [] : waitsOfLane(view);
  return [...waits, ...ofLane].map((wait) => explainWait(wait, deployment, view));
}

/** It can decide or store nothing. */
function waitsOfLane({ waitsFor, isRestored }: LaneView): readonly Wait[] {
  return waitsFor === undefined ? [] : [{ reason: isRestored ? 'outside' : 'record', sentence: waitsFor }];
}

function explainWait(wait: Wait, deployment: Deployment, view: LaneView): ExplainedWait {
  const { reason: gate, sentence } = wait;
  if (!('who' in wait)) return { gate, sentence, who: WHO[wait.reason] };
  const endsAt = wait.until === undefined ? undefined : new Date(wait.until).toISOString();
  const who = [...rerunAt(gate, view), ...wait.who, ...glassAt(gate, deployment.progress)];
  const described = who.map((one) => describeUnblocker(one, deployment) + describeCommand(one, wait, view));
  return { gate, sentence, who: described, ...defined({ endsAt }) };
}

/** It ends the lock of a failed apply, and any merge that waits for that goes on. */
function rerunAt(gate: WaitReason, { lock }: LaneView): readonly Unblocker[] {
  return gate === 'turn' && lock?.kind === 'failed' ? ['rerun'] : [];
}

/** In parentheses, where its arguments are known. A lane names what runs there or waits first: so a lock goes by its deployment. */
function describeCommand(who: Unblocker, { reason, sentence }: Wait, { repository, rootName, lock }: LaneView): string {
  const lane = `${fullName(repository)}/${rootName}`;
  if (who === 'break_glass') return ` (nereid break-glass ${lane} "REASON")`;
  if (reason === 'soak' && who === 'rerun') {
    const halting = haltingRootIn(sentence);
    return halting === undefined ? '' : ` (nereid rerun ${fullName(repository)}/${halting})`;
  }
  if (reason !== 'turn' || lock === undefined) return '';
  if (who === 'rerun') return ` (nereid rerun ${lock.deploymentId}), which plans what is left`;
  const unless = lock.kind === 'failed' ? ', if the next merge mends it' : '';
  return ` (nereid unlock ${lane})${unless}`;
}

/** It ends neither the stop nor the window, so that these do not name it themselves. */
function glassAt(gate: WaitReason, progress: Deployment['progress']): readonly Unblocker[] {
  const isThere = readWaitAtGate(progress.waitsFor)?.gate === gate && canBreakGlass(progress);
  return isThere && progress.glass === undefined ? ['break_glass'] : [];
}

/** Who or what ends the wait where no gate is closed. */
const WHO: Readonly<Record<OtherReason, readonly string[]>> = {
  queue: ['the deployments that go first, when they end'],
  host: ['a host that has a free slot', 'an operator who adds or resumes one'],
  outside: ['nobody has to press anything: it goes on by itself once that has changed'],
  record: ['storage, once it answers', 'an operator who repairs the record'],
};

function describeUnblocker(who: Unblocker, { root, progress }: Deployment): string {
  if (isOther(who)) return OTHERS[who];
  const { label, judgedBy } = rowOfRule(who);
  if (judgedBy === 'operators') return `${label}: an operator, one of console.operators in the server's file`;
  const rule = judgedBy === 'apply_force' ? judgedBy : who;
  return `${label}: ${isPermissionKey(rule) ? describeRule(rule, root.permissions[rule]) : ownersOf(progress)}`;
}

type Other = 'other lanes' | 'operators';

/** Whoever is no person that an action names. */
const OTHERS: Readonly<Record<Other, string>> = {
  'other lanes': 'the deployments of other lanes, when they end',
  operators: "the people who write the server's file",
};

function isOther(who: Unblocker): who is Other {
  return Object.hasOwn(OTHERS, who);
}

function isPermissionKey(who: Unblocker): who is PermissionKey {
  return (PERMISSION_KEYS as readonly string[]).includes(who);
}

function ownersOf({ plan, overrides }: Deployment['progress']): string {
  const objecting = plan === undefined ? [] : objectingPolicies(plan.made.body, overrides);
  const owners = new Set(objecting.flatMap((policy) => policy.owners ?? []));
  return owners.size === 0 ? 'an owner of the policy' : [...owners].join('; and ');
}
