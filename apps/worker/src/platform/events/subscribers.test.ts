import { expect, test } from '@jest/globals';
import type { ServerConfig } from '@nereid/config';
import { deploymentAt, progressAs, REPOSITORY } from '@nereid/domain/testing';
import type { Notification } from '@nereid/domain/notification';
import { githubPages } from '@nereid/github-pages';
import { pino } from 'pino';
import type { WorkerConfig } from '../config/config.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { notificationLinks } from './notification-links.ts';
import { createPublish } from './publish.ts';
import { createSubscribers } from './subscribers.ts';

const OPS: ServerConfig['notifications'][number] = {
  name: 'ops',
  target: { kind: 'teams', secretFile: '/s' },
  when: ['waits-for-person'],
  repositories: [],
  roots: [],
};

/** What the subscribers read of it. */
function configWith(notifications: ServerConfig['notifications']): WorkerConfig {
  const server = { current: () => ({ audit: { required: false }, notifications }) };
  const links = { consoleUrl: 'https://nereid.example.org' };
  return { server, links } as unknown as WorkerConfig;
}

test('a plan that waits for its review is in the outbox before its check run is written, with links to its pages', async () => {
  const kept: [string, Notification][] = [];
  const config = configWith([OPS]);
  const logger = pino({ level: 'silent' });
  const subscribers = createSubscribers({
    audit: undefined,
    notifications: {
      outbox: { keep: (name, notification) => Promise.resolve(void kept.push([name, notification])) },
      pages: notificationLinks(config, { pages: githubPages('https://github.com') }),
      onKept: () => undefined,
    },
    traces: undefined,
    config,
    logger,
    metrics: createMetrics(),
  });
  const checkRuns = [{ id: 7, completed: false }];
  const deployment = { ...deploymentAt(3), progress: progressAs('awaiting-review'), checkRuns, pullRequest: 12 };
  const about = { repository: REPOSITORY, deployment, since: new Date().toISOString(), sentence: 'Waiting' };

  await createPublish(subscribers, logger)({ kind: 'waits', reason: 'review', id: 'e1', ...about });

  const lane = encodeURIComponent(`acme/infra/${deployment.root.name}`);
  expect(kept).toMatchObject([
    [
      'ops',
      {
        type: 'waits-for-person',
        links: {
          page: `https://nereid.example.org/deployments/${deployment.id}?lane=${lane}`,
          checkRun: 'https://github.com/acme/infra/runs/7',
          pullRequest: 'https://github.com/acme/infra/pull/12',
        },
      },
    ],
  ]);
});
