/** Begins the effects of a deployment, and tells each end as one event. */
import { CancellationScope, log } from '@temporalio/workflow';
import type {
  Answered,
  Answers,
  Asking,
  AskingOf,
  DeploymentActor,
  DeploymentEffect,
  DeploymentEvent,
} from '@nereid/domain/deployment-actor';
import { readApply, readClaim, readExplained, readPlanned } from '../answers.ts';
import * as control from './control-activities.ts';
import { failureOf } from './failure.ts';
import * as hosts from './host-activities.ts';

type Emit = (event: DeploymentEvent) => void;

/** How each effect is performed. */
type Performs = {
  readonly [Kind in keyof Answers]: (actor: DeploymentActor, effect: AskingOf<Kind>) => Promise<Answers[Kind]>;
};

const PERFORMS: Performs = {
  'find-reviewed': ({ input }) => control.findReviewedPlan(input.repository, input.deployment),
  claim: ({ durations, input }) => hosts.claim(durations, input).then(readClaim),
  plan: ({ durations, input }, { plans, job }) => {
    const { id, root } = input.deployment;
    const begin = () => hosts.claimAndPlan(durations, input, plans, job);
    return hosts.stoppable(() => control.findPlanner(root), id, begin).then(readPlanned);
  },
  'verify-plan': ({ input }, { plan }) =>
    control.verifyPlan(input.repository, input.deployment, plan).then(() => 'verified'),
  'carry-review': ({ input: { repository, deployment } }, { plan, confirmed }) =>
    control.carryReview({ repository, deployment, plan, confirmed }),
  begin: ({ durations }, { beginning, isOneAttempt }) => control.begin(beginning, durations, isOneAttempt),
  'verify-approval': (_actor, { approval }) => control.verifyPress(approval).then(() => 'verified'),
  'find-host': (_actor, { hostId, isPatient }) => control.isHostThere(hostId, isPatient),
  apply: ({ durations, input: { deployment } }, { beginMs, job }) => {
    const { hostId } = job.go.body;
    return hosts
      .stoppable(at(hostId), deployment.id, () => hosts.applyingOn(hostId, beginMs, durations).applyOnHost(job))
      .then(readApply);
  },
  inspect: ({ durations, input: { deployment } }, { job }) => {
    const { hostId } = job.go.body;
    return hosts
      .stoppable(at(hostId), deployment.id, () => hosts.inspectingOn(hostId, durations).inspectApply(job))
      .then(readApply);
  },
  'explain-wait': ({ input }) => control.explainWait(input.deployment.root).then(readExplained),
  show: ({ input }, { presentation }) => control.showCheckRun(input.repository, presentation),
  'verify-press': (_actor, { press }) => control.verifyPress(press).then(() => 'verified'),
  'record-refusal': (_actor, { refusal }) => control.recordAside(refusal).then(() => 'done'),
  'record-unapplied': (_actor, { unapplied }) => control.recordAside(unapplied).then(() => 'done'),
  end: (_actor, { ending }) => control.endDeployment(ending),
  'record-end': (_actor, { finish }) => control.recordEnd(finish).then(() => 'done'),
  'clean-up': ({ durations, input }, { hostId }) =>
    hosts
      .cleaningOn(hostId, durations)
      .cleanUpHost(input.deployment.id)
      .then(() => 'done'),
};

function at(hostId: string): () => Promise<string> {
  return () => Promise.resolve(hostId);
}

/** Nobody hears of their failures: the deployment goes on as if they were done. */
const LOGGED: ReadonlySet<Asking['kind']> = new Set<Asking['kind']>([
  ...([
    'verify-plan',
    'carry-review',
    'verify-press',
    'record-refusal',
    'record-unapplied',
    'end',
    'record-end',
  ] as const),
]);

/** Where an effect runs, so that it can be stopped. */
type Scope = 'work' | 'explain-wait' | 'show' | 'beside';

/** Returns a function that begins an effect of the deployment, as it stands then. */
export function createBegin(emit: Emit): (actor: DeploymentActor, effect: DeploymentEffect) => void {
  const scopes = new Map<Scope, CancellationScope>();
  return (actor, effect) => {
    if (effect.kind === 'stop') scopes.get(effect.what)?.cancel();
    else if (effect.kind !== 'wait' && effect.kind !== 'finish') {
      const scope = new CancellationScope();
      scopes.set(scopeOf(effect), scope);
      void scope
        .run(() => perform(actor, effect))
        .then((event) => {
          // The reason for a wait that is over is of no use.
          if (effect.kind === 'claim' || effect.kind === 'plan') scopes.get('explain-wait')?.cancel();
          emit(event);
        });
    }
  };
}

function scopeOf({ kind }: Asking): Scope {
  if (kind === 'explain-wait' || kind === 'show') return kind;
  const isBeside = ['verify-press', 'record-refusal', 'record-unapplied', 'clean-up'].includes(kind);
  return isBeside ? 'beside' : 'work';
}

async function perform(actor: DeploymentActor, effect: Asking): Promise<DeploymentEvent> {
  const { kind: of } = effect;
  // The table says for each kind what it takes and answers.
  const performs = PERFORMS[of] as (actor: DeploymentActor, effect: Asking) => Promise<Answered['answer']>;
  try {
    return { kind: 'answered', of, effect, answer: await performs(actor, effect) } as Answered;
  } catch (error) {
    const failure = failureOf(effect, error);
    if (LOGGED.has(of) && failure.kind !== 'cancelled' && failure.code !== 'FORGED')
      log.warn('an effect of a deployment failed for good', { effect: of, reason: failure.why });
    return { kind: 'failed', effect, failure };
  }
}
