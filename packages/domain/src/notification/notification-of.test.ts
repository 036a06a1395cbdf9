import { expect, test } from '@jest/globals';
import type { EndedStatus } from '../deployment/status.ts';
import type { DeploymentWaits, DomainEvent } from '../events/domain-event.ts';
import { deploymentAt, NOW, progressAs, REPOSITORY } from '../testing.ts';
import { notificationOf } from './notification-of.ts';
import { notification as schema } from './record.ts';
import { subjectOfTopic } from './topics.ts';

const LATER = new Date('2026-01-31T15:00:00.000Z');
const LINKS = { page: 'https://nereid.example.org/deployments/d1' };

const MERGE = { page: 'https://nereid.example.org/rollouts/acme/infra/c' };
const PAGES = { toDeployment: () => LINKS, toRollout: () => MERGE };
const of = (event: DomainEvent) => notificationOf(event, PAGES, LATER);

function aWait(reason: DeploymentWaits['reason'], n = 3): DeploymentWaits {
  const deployment = { ...deploymentAt(n), progress: progressAs('awaiting-review') };
  return { kind: 'waits', reason, id: `e${n}`, repository: REPOSITORY, deployment, since: NOW, sentence: 'Waiting' };
}

function anEnd(status: EndedStatus): DomainEvent {
  const deployment = { ...deploymentAt(3), progress: progressAs(status) };
  return { kind: 'ended', status, id: 'e1', repository: REPOSITORY, deployment, since: NOW, sentence: 'Over' };
}

test('a plan that waits for its review is a notification with everything that people need to find it', () => {
  const { deployment } = aWait('review');

  const found = of(aWait('review'));

  expect(found).toEqual({
    version: 1,
    id: `${deployment.id}:waits-for-person:${NOW}`,
    type: 'waits-for-person',
    at: NOW,
    sentence: 'Waiting',
    repository: 'acme/infra',
    root: { name: deployment.root.name, directory: deployment.root.dir },
    deployment: {
      id: deployment.id,
      status: 'awaiting-review',
      trigger: 'merge',
      revision: deployment.revision.sha,
      pullRequest: 12,
    },
    links: LINKS,
  });
  expect(schema.parse(found)).toEqual(found);
});

test('a window that closes is one notification of its repository, with how many deployments wait', () => {
  const event = {
    kind: 'closing',
    ...{ id: 'c1', repository: REPOSITORY, window: 'Year end', closesAt: NOW },
    ...{ waiting: 2, sentence: 'an apply that has not begun by Fri 18:00 UTC waits' },
  } as const;

  expect(of(event)).toEqual({
    ...{ version: 1, id: 'c1', type: 'closing', at: LATER.toISOString(), repository: 'acme/infra', links: {} },
    until: NOW,
    sentence: '2 deployments wait: an apply that has not begun by Fri 18:00 UTC waits',
  });
  expect(of({ ...event, waiting: 1 })?.sentence).toMatch(/^One deployment waits: an apply /);
});

test('a root behind a link is named by both of its directories', () => {
  const { deployment, ...wait } = aWait('review');
  const root = { ...deployment.root, dir: 'links/network', realDir: 'prod/network' };

  expect(of({ ...wait, deployment: { ...deployment, root } })?.root).toEqual({
    name: root.name,
    directory: 'links/network',
    realDirectory: 'prod/network',
  });
});

test('a plan that a policy denies waits for a person, once for that and its review', () => {
  expect(of(aWait('policy'))?.id).toBe(of(aWait('review'))?.id);
});

test('a reminder is a notification of its own, each time', () => {
  const { kind: _waits, reason: _review, ...about } = aWait('review');

  const found = of({ ...about, kind: 'reminder', id: 'd1:reminder:1', team: 'acme/leads', sentence: 'For acme/leads' });

  expect(found).toMatchObject({ id: 'd1:reminder:1', type: 'reminder', sentence: 'For acme/leads' });
  expect(schema.parse(found)).toEqual(found);
});

test('a lock is one notification, however many deployments wait for it', () => {
  expect(of(aWait('turn', 3))?.id).toBe(of(aWait('turn', 4))?.id);
});

test.each(['host', 'order', 'queue', 'outside', 'record', 'stop', 'window'] as const)(
  'nobody is notified of a wait for %s',
  (reason) => {
    expect(of(aWait(reason))).toBeUndefined();
  },
);

test.each<[EndedStatus, string | undefined]>([
  ['succeeded', 'succeeded'],
  ['no-changes', 'succeeded'],
  ['apply-failed', 'failed'],
  ['host-lost', 'failed'],
  ['apply-outcome-unknown', 'outcome-unknown'],
  ['expired', 'not-deployed'],
  ['planned', undefined],
])('a deployment that ends as %s is a notification of %s', (status, type) => {
  expect(of(anEnd(status))?.type).toBe(type);
});

test.each([
  ['applying', 'applying'],
  ['awaiting-review', undefined],
] as const)('a deployment that goes on and is %s is a notification of %s', (status, type) => {
  const deployment = { ...deploymentAt(3), progress: progressAs(status) };
  const about = { id: 'e1', repository: REPOSITORY, deployment, since: NOW, sentence: 'Applying' };

  expect(of({ kind: 'applying', ...about })?.type).toBe(type);
});

test('a check that halts a rollout is a notification about the merge, with what it found', () => {
  const sentence = 'wave 1 of 2 (canary): its check errors failed once, and found 3, expected < 1';
  const why = 'wave 1 of 2 (canary): @ada skipped it';
  const repository = { owner: 'acme', name: 'infra' };

  const revision = 'c'.repeat(40);
  const rollout = `${revision}/delivery-1`;
  const found = of({ kind: 'halted', id: 'h1', repository, rollout, revision, at: NOW, sentence });
  const resumed = of({ kind: 'resumed', id: 'h2', repository, rollout, revision, at: NOW, sentence: why });

  expect(found).toEqual({
    ...{ version: 1, id: 'h1', type: 'halted', at: NOW, repository: 'acme/infra', links: MERGE },
    ...{ sentence: `Commit ccccccc, ${sentence}`, about: `acme/infra/${rollout}` },
  });
  expect(schema.parse(found)).toEqual(found);
  expect(resumed).toEqual({ ...found, id: 'h2', type: 'resumed', sentence: `Commit ccccccc, ${why}` });
});

test('of a stuck workflow, people read the reason, and not the failure for operators', () => {
  const about = { id: 'r1:stuck', workflowId: 'w1', runId: 'r1', type: 'deploy' };

  const found = of({ kind: 'stuck', reason: 'its task fails', failure: 'a secret', ...about });

  const sentence = 'Deploy workflow w1: its task fails. An operator has to look at it';
  expect(found).toMatchObject({ id: 'r1:stuck', type: 'stuck', at: LATER.toISOString(), sentence });
  expect(JSON.stringify(found)).not.toContain('a secret');
});

test('a workflow that was stuck goes on, or has ended, under the same name', () => {
  const about = { workflowId: 'w1', type: 'deploy' };
  const stuck = of({ kind: 'stuck', id: 'r1:4:stuck', reason: 'its task fails', runId: 'r1', ...about });
  const goesOn = of({ kind: 'goes-on', id: 'r1:4:goes-on', ...about });
  const ended = of({ kind: 'goes-on', id: 'r1:4:goes-on', ...about, hasEnded: true });

  expect([stuck, goesOn, ended].map((each) => each?.about)).toEqual(['w1', 'w1', 'w1']);
  expect([goesOn, ended]).toMatchObject([
    { type: 'resumed', sentence: 'Deploy workflow w1, which was stuck: nobody has to look at it any more' },
    { type: 'resumed', sentence: 'Deploy workflow w1, which was stuck, has ended: nobody has to look at it any more' },
  ]);
});

test('forgeries of a kind are one notification in an hour, without what the forger wrote', () => {
  const fact = { version: 1, state: 'FORGED', forged: 'order/deploy', sentence: 's', about: '@everyone' } as const;
  const at = (time: string) => of({ kind: 'forged', id: 'x', fact: { ...fact, id: 'x', at: time } });

  const first = at('2026-01-31T14:05:00.000Z');

  expect(first).toMatchObject({ type: 'forged', at: '2026-01-31T14:00:00.000Z' });
  expect(at('2026-01-31T14:55:00.000Z')).toEqual(first);
  const later = at('2026-01-31T15:05:00.000Z');
  expect(later?.id).not.toBe(first?.id);
  expect(later?.about).toBe(first?.about);
  expect(JSON.stringify(first)).not.toContain('@everyone');
});

test('each topic is about a root, unless its row says otherwise', () => {
  const rollout = { id: 'r', repository: { owner: 'acme', name: 'infra' }, rollout: 'r', revision: 'c'.repeat(40) };
  const about = { workflowId: 'w1', type: 'deploy' };
  const fact = {
    version: 1,
    id: 'x',
    state: 'FORGED',
    forged: 'order/deploy',
    sentence: 's',
    about: '',
    at: NOW,
  } as const;
  const closing = { repository: REPOSITORY, window: 'Year end', closesAt: NOW, waiting: 1 };
  const found = [
    of({ kind: 'stuck', id: 's', reason: 'its task fails', runId: 'r1', ...about }),
    of({ kind: 'forged', id: 'x', fact }),
    of({ kind: 'halted', at: NOW, sentence: '', ...rollout }),
    of({ kind: 'resumed', at: NOW, sentence: '', ...rollout }),
    of({ kind: 'closing', id: 'c', sentence: '', ...closing }),
    of(aWait('review')),
    of(anEnd('apply-failed')),
  ].flatMap((one) => one ?? []);

  const subjects = found.map(({ repository, root }) => {
    if (repository === undefined) return 'installation';
    return root === undefined ? 'repository' : 'root';
  });

  expect(found.map(({ type }) => subjectOfTopic(type))).toEqual(subjects);
});
