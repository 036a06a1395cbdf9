import { expect, test } from '@jest/globals';
import type { Check } from '@nereid/doctor';
import type { DestinationState } from '@nereid/domain/notification';
import { createOutbox, openObjectStore } from '@nereid/storage';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import type { WorkerConfig } from '../platform/config/config.ts';
import { notificationsCheck } from './notifications-check.ts';

const TEAMS = { name: 'teams', target: { kind: 'teams', secretFile: '/s' }, when: ['failed'] } as const;
const SINCE = '2026-11-22T10:00:00.000Z';

const folder = folderOfEachTest();

/** What the check reads of a configuration. */
function aCheck(notifications: readonly object[] = [TEAMS], roles: WorkerConfig['roles'] = ['control']) {
  const config = { server: { current: () => ({ notifications }) }, storage: { deployments: `file:${folder}` }, roles };
  return notificationsCheck(config as unknown as WorkerConfig);
}

const run = (check: Check) => check.run(new AbortController().signal);

async function stateIs(state: Partial<DestinationState>): Promise<void> {
  const outbox = createOutbox(await openObjectStore(`file:${folder}`));
  await outbox.writeState('teams', { version: 1, settled: [], dropped: 0, notes: [], ...state }, undefined);
}

function failingUntil(lastAt: string): Partial<DestinationState> {
  return { failing: { since: SINCE, attempts: 9, lastAt, nextAt: lastAt, reason: 'answered 500' } };
}

test.each<[string, Partial<DestinationState>, string, string]>([
  ['has failed for an hour', failingUntil('2026-11-22T11:00:00.000Z'), 'warn', 'none since 2026-11-22T10:00:00.000Z'],
  ['has failed for less', failingUntil('2026-11-22T10:59:00.000Z'), 'ok', 'answered 500'],
  ['refused the last one', { refused: { id: 'n', at: SINCE, reason: 'answered 404' } }, 'warn', 'answered 404'],
  ['took the last one', { deliveredAt: SINCE }, 'ok', 'teams took the last one at 2026-11-22T10:00:00.000Z'],
])('a destination that %s', async (_what, state, outcome, found) => {
  await stateIs(state);

  expect(await run(aCheck())).toMatchObject([{ outcome, found: expect.stringContaining(found) }]);
});

test('a destination that refused one says what to do once it is mended', async () => {
  await stateIs({ refused: { id: 'n', at: SINCE, reason: 'answered 404' } });

  expect(await run(aCheck())).toMatchObject([{ remedy: 'mend it, and run: nereid notify retry teams' }]);
});

test('there is nothing to check without destinations, or on a host alone', async () => {
  expect(await run(aCheck([]))).toMatchObject({ outcome: 'skip' });
  expect(await run(aCheck([TEAMS], ['terraform']))).toMatchObject({ outcome: 'skip' });
});
