import { expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { intakeStageOfThisFile } from '../intake/testing/intake-stage.ts';
import { createReconcileActivities } from './reconcile-activities.ts';

const stage = intakeStageOfThisFile();

function asked<T>(ask: (activities: ReturnType<typeof createReconcileActivities>) => Promise<T>): Promise<T> {
  return new MockActivityEnvironment().run(() => ask(createReconcileActivities(stage.context)));
}

test('repositories that are installed and allowed are reconciled, each on the branch that is deployed', async () => {
  const infra = await stage.repository({ 'README.md': '' });
  const evil = await stage.repository({ 'README.md': '' }, 'evil');

  const branches = await asked((activities) => activities.reconcile('listRepositories'));

  expect(branches).toContainEqual({ repository: infra.repository, branch: 'main' });
  expect(branches.map(({ repository }) => repository.owner)).not.toContain(evil.repository.owner);
});

test('one repository that cannot be read holds up no other', async () => {
  const infra = await stage.repository({ 'README.md': '' });
  const gone = { ...infra.repository, name: 'gone' };

  const found = await asked((activities) =>
    activities.reconcile('reconcileRepositories', [
      { repository: gone, branch: 'main' },
      { repository: infra.repository, branch: 'main' },
    ]),
  );

  expect(found).toEqual([]);
  expect((await stage.context.repositoryRecords.read(infra.repository))?.record.reconciledTo).toBe(await infra.head());
});

test('pull requests that cannot be listed hold up no deployment', async () => {
  const infra = await stage.repository({ 'README.md': '' });
  const heal = stage.standIn.faults.add({ kind: 'failure', status: 502, route: /\/pulls/ });
  const config = stage.context.server.current();
  const repositories = config.repositories.map((policy) => ({ ...policy, pullRequests: 'plan' as const }));
  const server = { ...stage.context.server, current: () => ({ ...config, repositories }) };
  const activities = createReconcileActivities({ ...stage.context, server });

  const found = await new MockActivityEnvironment().run(() =>
    activities.reconcile('reconcileRepositories', [{ repository: infra.repository, branch: 'main' }]),
  );
  heal();

  expect(found).toEqual([]);
  expect(stage.standIn.requestCounts().some(({ route, status }) => route.endsWith('/pulls') && status === 502)).toBe(
    true,
  );
  expect((await stage.context.repositoryRecords.read(infra.repository))?.record.reconciledTo).toBe(await infra.head());
});

test('a webhook that reached nobody is sent again, and not at once again', async () => {
  const infra = await stage.repository({ 'README.md': '' });
  await infra.commit({ 'network/main.tf': '' });
  const failed = await stage.standIn.waitFor(
    () => stage.standIn.deliveries().findLast(({ event, statusCode }) => event === 'push' && statusCode !== 202),
    { what: 'a webhook that failed', deadlineMs: DEADLINE_MS },
  );

  const sent = await asked((activities) => activities.reconcile('redeliverWebhooks'));

  expect(sent).toContain(`sent again: push ${failed.guid}`);
  const again = await stage.standIn.waitFor(
    () => stage.standIn.deliveries().find(({ guid, redelivery }) => guid === failed.guid && redelivery),
    { what: 'another attempt', deadlineMs: DEADLINE_MS },
  );
  expect(again.guid).toBe(failed.guid);
});

test('a webhook that GitHub does not know any more cannot be sent again, and that is no failure', async () => {
  expect(await stage.context.forge.deliveries?.redeliver(1)).toBe(false);
});

/** What is waited for comes within a second; only what hangs takes minutes. */
const DEADLINE_MS = 120_000;
