/**
 * The pull-request workflow: one at a time looks after the previews of a pull request.
 *
 * It holds no state: GitHub knows the pull request, and storage its previews. So it ends when there was no news for a while, and
 * the next news starts it again.
 */
import { condition, defineSignal, proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
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

/** A busy root is planned again once a minute at most. */
const DEPLOYED_EVERY_MS = 60_000;

export async function pullRequest({ repository, number, idleMs = IDLE_MS }: PullRequestInput): Promise<void> {
  const news = { look: false, show: false };
  const deployed = new Set<string>();
  let plannedAgainAt = -DEPLOYED_EVERY_MS;
  const isDue = () => news.look || (deployed.size > 0 && Date.now() - plannedAgainAt >= DEPLOYED_EVERY_MS);
  setHandler(look, (message) => {
    if (message.deployed === undefined) news.look = true;
    else deployed.add(message.deployed);
  });
  setHandler(previewEnded, () => {
    news.show = true;
  });
  for (;;) {
    if (isDue()) {
      const roots = [...deployed];
      if (roots.length > 0) plannedAgainAt = Date.now();
      deployed.clear();
      Object.assign(news, { look: false, show: true });
      const { sentence } = await lookAtPullRequest(repository, number, roots);
      setCurrentDetails(sentence);
    } else if (news.show) {
      news.show = false;
      await showPullRequest(repository, number);
    } else {
      const untilMs = deployed.size > 0 ? plannedAgainAt + DEPLOYED_EVERY_MS - Date.now() : idleMs;
      const hasNews = await condition(() => isDue() || news.show, Math.max(1, untilMs), { summary: 'for more news' });
      if (!hasNews && deployed.size === 0) return;
    }
  }
}
