import { beforeEach, expect, test } from '@jest/globals';
import type { SeenState } from '@nereid/domain/plan';
import { storeOfEachTest } from '../objects/testing/store-of-each-test.ts';
import { createSeenStates, type SeenStates } from './seen-states.ts';

const REPOSITORY = { owner: 'acme', name: 'infra' };
const FIRST: SeenState = { stateVersion: '1 a', at: '2026-01-02T03:04:05.000Z', isOutside: false };

const store = storeOfEachTest();
let states: SeenStates;

beforeEach(() => {
  states = createSeenStates(store);
});

test('the state of a root is absent, then as it was seen last', async () => {
  expect(await states.read(REPOSITORY, 'network')).toBeUndefined();

  await states.change(REPOSITORY, 'network', () => FIRST);
  await states.change(REPOSITORY, 'network', () => undefined);

  expect(await states.read(REPOSITORY, 'network')).toMatchObject(FIRST);
  expect(await states.read(REPOSITORY, 'database')).toBeUndefined();
});

test('of two plans that see it at the same time, each sees what the other has stored', async () => {
  const saw: (string | undefined)[] = [];
  const see = (stateVersion: string) =>
    states.change(REPOSITORY, 'network', (seen) => {
      saw.push(seen?.stateVersion);
      return { ...FIRST, stateVersion };
    });

  await Promise.all([see('1 a'), see('2 a')]);

  const last = (await states.read(REPOSITORY, 'network'))?.stateVersion;
  expect(saw.at(-1)).toBe(last === '1 a' ? '2 a' : '1 a');
});

test('garbage is refused', async () => {
  await store.put('seen-states/acme/infra/network.json', Buffer.from('{"version":1,"at":"yesterday"}'));

  await expect(states.read(REPOSITORY, 'network')).rejects.toMatchObject({ code: 'BROKEN_RECORD' });
});
