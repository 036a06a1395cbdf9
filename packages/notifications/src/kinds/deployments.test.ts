import { expect, test } from '@jest/globals';
import type { Notification } from '@nereid/domain/notification';
import {
  ForgeRefusedError,
  ForgeShutOutError,
  ForgeUnavailableError,
  type EnvironmentDeployment,
  type Repositories,
} from '@nereid/forge';
import { aNotification } from '../fixtures/a-notification.ts';
import { openDestination } from '../open-destination.ts';
import type { ForgeOfDeployments } from './deployments.ts';

type Show = (shown: EnvironmentDeployment, known: number | undefined) => Promise<number>;

function forgeOf(show: Show): ForgeOfDeployments {
  const repositories = { installationOf: () => Promise.resolve(99) } as unknown as Repositories; // Nothing else is asked.
  return { name: 'GitHub', repositories, environments: { show: (_repository, shown, known) => show(shown, known) } };
}

function senderTo(forge: ForgeOfDeployments | undefined) {
  return openDestination({ target: { kind: 'deployments', environment: '{environment}/{root}' } }, undefined, forge);
}

type About = NonNullable<Notification['deployment']>;

function of(type: Notification['type'], status: About['status'], changes: Partial<Notification> = {}): Notification {
  return aNotification({
    type,
    deployment: { id: 'd1', status, trigger: 'merge', revision: 'a'.repeat(40) },
    ...changes,
  });
}

/** What is shown of these notifications about one deployment, each with the number that is known by then. */
async function shownOf(...notifications: readonly Notification[]): Promise<readonly string[]> {
  const shown: string[] = [];
  const sender = senderTo(
    forgeOf(({ state }, known) => Promise.resolve(shown.push(`${state} of ${known ?? 'none'}`) && 7)),
  );
  let note: string | undefined;
  for (const each of notifications) {
    const answer = await sender.send(each, { note, isAnnounced: true });
    if (answer.kind !== 'delivered') throw new Error(answer.reason);
    note = answer.note === '' ? undefined : (answer.note ?? note);
  }
  return shown;
}

test.each<[Notification['type'], About['status'], string]>([
  ['succeeded', 'succeeded', 'success'],
  ['failed', 'apply-failed', 'failure'],
  ['failed', 'host-lost', 'failure'],
  ['outcome-unknown', 'apply-outcome-unknown', 'failure'],
  ['not-deployed', 'cancelled', 'inactive'],
])('an apply is in progress, and once it is over (%s, %s) a %s', async (type, status, state) => {
  expect(await shownOf(of('applying', 'applying'), of(type, status))).toEqual(['in_progress of none', `${state} of 7`]);
});

test.each<[Notification['type'], About['status']]>([
  ['succeeded', 'no-changes'],
  ['failed', 'plan-failed'],
  ['failed', 'host-lost'],
  ['not-deployed', 'rejected'],
])('nothing is shown of a deployment that applied nothing (%s, %s)', async (type, status) => {
  expect(await shownOf(of(type, status))).toEqual([]);
});

test('an apply that was over before it was shown is shown with its end', async () => {
  expect(await shownOf(of('succeeded', 'succeeded'))).toEqual(['success of none']);
});

test('an end that is better proven later replaces the earlier one', async () => {
  const ends = [of('outcome-unknown', 'apply-outcome-unknown'), of('succeeded', 'succeeded')];

  expect(await shownOf(of('applying', 'applying'), ...ends)).toEqual([
    'in_progress of none',
    'failure of 7',
    'success of none',
  ]);
});

test.each([
  ['infra/prod/network', 'prod/network'],
  ['prod/network', 'prod/network'],
  ['network', 'production/network'],
  ['.', 'production/network'],
  ['{root}/network', '{root}/network'],
  [`a\u202e\n\u0000b/network`, 'a b/network'],
  [`${'x'.repeat(400)}/network`, `${'x'.repeat(254)}…`],
])('the environment of a root in %j is %j', async (directory, environment) => {
  const shown: EnvironmentDeployment[] = [];
  const forge = forgeOf((each) => Promise.resolve(shown.push(each)));
  const changes = { root: { name: 'network', directory }, sentence: 'y'.repeat(200) };

  await senderTo(forge).send(of('applying', 'applying', changes), { isAnnounced: true });

  expect(shown).toMatchObject([{ environment, sentence: `${'y'.repeat(139)}…` }]);
});

test.each([
  [new ForgeUnavailableError('away', { status: 503, retryAfterMs: 9_000 }), { kind: 'later', retryAfterMs: 9_000 }],
  [new TypeError('data.find is not a function'), { kind: 'later', reason: 'no answer (TypeError)' }],
  [new ForgeRefusedError('no permission', { status: 403 }), { kind: 'refused', reason: 'no permission' }],
  [new ForgeShutOutError('suspended', { status: 403 }), { kind: 'refused', reason: 'suspended' }],
])('of what the forge does not take, only what may pass is tried again: %s', async (error, answer) => {
  const sender = senderTo(forgeOf(() => Promise.reject(error)));

  expect(await sender.send(of('applying', 'applying'), { isAnnounced: true })).toMatchObject(answer);
});

test('a repository that Nereid was taken out of is refused, and holds up no other one', async () => {
  const sender = senderTo({
    ...forgeOf(() => Promise.resolve(7)),
    repositories: { installationOf: () => Promise.resolve(undefined) } as unknown as Repositories,
  });

  expect(await sender.send(of('applying', 'applying'), { isAnnounced: true })).toMatchObject({
    kind: 'refused',
    reason: 'GitHub does not let Nereid into acme/infra',
  });
});

test('without a forge that has deployments, the reason says so', async () => {
  const { environments: _environments, ...lacking } = forgeOf(() => Promise.resolve(7));

  expect(await senderTo(lacking).send(of('applying', 'applying'), { isAnnounced: true })).toMatchObject({
    kind: 'refused',
    reason: 'GitHub has no list of deployments: remove deployments from the file',
  });
  expect(await senderTo(undefined).send(of('applying', 'applying'), { isAnnounced: true })).toMatchObject({
    reason: expect.stringContaining('only a control worker'),
  });
});

test('each account has a queue of its own, because it has an installation with limits of its own', () => {
  const { queueOf } = senderTo(undefined);
  const queuesOf = (...repositories: readonly string[]) =>
    repositories.map((repository) => queueOf?.(of('applying', 'applying', { repository })));

  expect(queuesOf('acme/infra', 'acme/app', 'umbrella/infra')).toEqual(['acme', 'acme', 'umbrella']);
});
