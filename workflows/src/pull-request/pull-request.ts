/**
 * The pull-request workflow: one at a time looks after the previews of a pull request, or of a group of a merge queue.
 *
 * It is an actor (actor.ts). Its rules are in packages/domain. The forge knows the pull request, and storage its previews: so it ends
 * when there was no news for a while, and the next news starts it again.
 */
import {
  ActivityFailure,
  CancelledFailure,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { defined } from '@nereid/domain/defined';
import {
  type PullRequestActivities,
  type PullRequestInput,
  type PullRequestNews,
  decidePullRequest,
  nextPullRequestEffect,
  openPullRequest,
  type PullRequestActor,
  type PullRequestEffect,
  type PullRequestEvent,
} from '@nereid/domain/pull-request';
import { LOOK_QUEUE, MESSAGE } from '@nereid/domain/temporal-names';
import { createActor } from '../actor.ts';

/** A first mirror of a large repository takes minutes; what lasts an hour is a matter for people. */
const { syncPullRequest } = proxyActivities<PullRequestActivities>({
  taskQueue: LOOK_QUEUE,
  startToCloseTimeout: '15m',
  heartbeatTimeout: '30s',
  scheduleToCloseTimeout: '1h',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

const { showPullRequest } = proxyActivities<PullRequestActivities>({
  startToCloseTimeout: '1m',
  heartbeatTimeout: '30s',
  scheduleToCloseTimeout: '1h',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

const look = defineSignal<[PullRequestNews]>(MESSAGE.look);
const previewEnded = defineSignal<[PullRequestNews]>(MESSAGE.previewEnded);

export async function pullRequest(input: PullRequestInput): Promise<void> {
  const opened = openPullRequest(input, Date.now());
  const actor = createActor<PullRequestActor, PullRequestEvent, PullRequestEffect>(opened, {
    decide: decidePullRequest,
    nextEffect: (state, now) => nextPullRequestEffect(state, now, workflowInfo().continueAsNewSuggested),
  });
  setHandler(look, (message) => {
    actor.emit({ kind: 'news', message });
  });
  setHandler(previewEnded, ({ deploymentId }: Partial<PullRequestNews> = {}) => {
    actor.emit({ kind: 'preview-ended', deploymentId });
  });
  await actor.play({ begin, end, describe: ({ sentence }) => setCurrentDetails(sentence), earlyMs: 0 });
}

function begin(actor: PullRequestActor, effect: PullRequestEffect, emit: (event: PullRequestEvent) => void): void {
  perform(actor, effect).then(emit, (error: unknown) => {
    if (!(error instanceof ActivityFailure)) throw error;
    emit({ kind: 'failed', effect, why: error.cause?.message ?? error.message });
  });
}

async function perform({ input }: PullRequestActor, effect: PullRequestEffect): Promise<PullRequestEvent> {
  const { repository, number, group } = input;
  const subject = { number, ...defined({ group }) };
  if (effect.kind === 'look')
    return { kind: 'looked', looked: await syncPullRequest(repository, subject, effect.roots) };
  await showPullRequest(repository, subject);
  return { kind: 'shown' };
}

function end(_actor: PullRequestActor, effect: PullRequestEffect): Promise<void> | undefined {
  if (effect.kind === 'continue-as-new') return continueAsNew<typeof pullRequest>(effect.input);
  if (effect.kind !== 'finish') return undefined;
  return effect.how === 'idle' ? Promise.resolve() : Promise.reject(new CancelledFailure('it was cancelled'));
}
