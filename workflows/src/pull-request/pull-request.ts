/**
 * The pull-request workflow: one at a time looks after the previews of a pull request, or of a group of a merge queue.
 *
 * It holds no state: the forge knows the pull request, and storage its previews. So it ends when there was no news for a while, and
 * the next news starts it again.
 */
import {
  ActivityFailure,
  condition,
  continueAsNew,
  defineSignal,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import {
  defined,
  LOOK_QUEUE,
  MESSAGE,
  type PreviewSubject,
  type PullRequestActivities,
  type PullRequestInput,
  type PullRequestNews,
} from '@nereid/contracts';
import { createEnds } from './ends.ts';

/** Pushes come in bursts, and the ends of previews within seconds. */
const IDLE_MS = 60_000;

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

/** A busy root is planned again once a minute at most. */
const DEPLOYED_EVERY_MS = 60_000;

/** The previews of a pull request end within seconds of each other, and are shown together; a slow one does not hide the others. */
const OTHERS_MS = 10_000;

/** The pauses after a look that failed for an hour, or for good; after these, the next news or the reconciler tries again. */
const PAUSES_MS: readonly number[] = [5 * 60_000, 30 * 60_000];

export async function pullRequest(input: PullRequestInput): Promise<void> {
  const { repository, number, group, idleMs = IDLE_MS, deployedEveryMs = DEPLOYED_EVERY_MS } = input;
  const subject: PreviewSubject = { number, ...defined({ group }) };
  const news = { look: input.hasNews === true, show: false };
  const deployed = new Set<string>(input.deployed);
  const ends = createEnds(input.othersMs ?? OTHERS_MS);
  let plannedAgainAt = -deployedEveryMs;
  let failures = 0;
  let retryAt: number | undefined;
  /** The next look and the next write, in epoch milliseconds: 0 for at once, infinite for none. News does not wait for a retry. */
  const lookAt = () => (news.look ? 0 : (retryAt ?? (deployed.size > 0 ? plannedAgainAt + deployedEveryMs : Infinity)));
  const showAt = () => (news.show ? 0 : ends.showAt);
  const nextAt = () => Math.min(lookAt(), showAt());
  setHandler(look, (message) => {
    if (message.deployed === undefined) news.look = true;
    else deployed.add(message.deployed);
  });
  setHandler(previewEnded, ({ deploymentId }: Partial<PullRequestNews> = {}) => {
    ends.add(deploymentId, Date.now());
  });
  for (;;) {
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof pullRequest>({ ...input, hasNews: true, deployed: [...deployed] });
    } else if (lookAt() <= Date.now()) {
      const roots = [...deployed];
      if (roots.length > 0) plannedAgainAt = Date.now();
      deployed.clear();
      ends.forget();
      Object.assign(news, { look: false, show: true });
      const why = await whyFailed(async () => {
        const { sentence, isOpen, underWay } = await syncPullRequest(repository, subject, roots);
        news.show = isOpen;
        ends.await(underWay);
        setCurrentDetails(sentence);
      });
      const pauseMs = why === undefined ? undefined : PAUSES_MS[failures];
      failures = pauseMs === undefined ? 0 : failures + 1;
      retryAt = pauseMs === undefined ? undefined : Date.now() + pauseMs;
      if (why !== undefined) setCurrentDetails(`It could not be looked at: ${why}`);
      if (retryAt !== undefined) for (const root of roots) deployed.add(root);
    } else if (showAt() <= Date.now()) {
      news.show = false;
      ends.shown();
      const why = await whyFailed(() => showPullRequest(repository, subject));
      if (why !== undefined) setCurrentDetails(`It could not be shown: ${why}`);
    } else {
      const at = nextAt();
      const waitMs = at === Infinity ? idleMs : at - Date.now();
      await condition(() => nextAt() !== at, waitMs, {
        summary: at === Infinity ? 'for more news' : 'before it goes on',
      });
      if (nextAt() === Infinity) return;
    }
  }
}

async function whyFailed(activity: () => Promise<void>): Promise<string | undefined> {
  try {
    await activity();
    return undefined;
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return error.cause?.message ?? error.message;
  }
}
