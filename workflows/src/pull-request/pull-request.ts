/**
 * The pull-request workflow: one at a time looks after the previews of a pull request.
 *
 * It holds no state: GitHub knows the pull request, and storage its previews. So it ends when there was no news for a while, and
 * the next news starts it again.
 */
import { condition, defineSignal, log, proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { MESSAGE, type PullRequestActivities, type PullRequestInput, type PullRequestNews } from '@nereid/contracts';

/** Pushes come in bursts, and the ends of previews within seconds. */
const IDLE_MS = 60_000;

/** A first mirror of a large repository takes minutes; what lasts an hour is a matter for people. */
const { lookAtPullRequest } = proxyActivities<PullRequestActivities>({
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

export async function pullRequest({ repository, number, idleMs = IDLE_MS }: PullRequestInput): Promise<void> {
  const news = { look: false, show: false };
  setHandler(look, () => {
    news.look = true;
  });
  setHandler(previewEnded, () => {
    news.show = true;
  });
  for (;;) {
    if (news.look) {
      Object.assign(news, { look: false, show: true });
      const { sentence } = await lookAtPullRequest(repository, number);
      setCurrentDetails(sentence);
      log.info('looked at a pull request', { sentence });
    } else if (news.show) {
      news.show = false;
      await showPullRequest(repository, number);
    } else if (!(await condition(() => news.look || news.show, idleMs, { summary: 'for more news' }))) return;
  }
}
