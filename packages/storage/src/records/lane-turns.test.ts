import type { LaneTurn } from '@nereid/domain/lane';
import { beforeEach, expect, test } from '@jest/globals';
import { BrokenRecordError } from '../errors.ts';
import { createFileStore } from '../objects/folder/file-store.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { aDeployment, aFolder, aRepository } from '../testing.ts';
import { createLaneTurns, type LaneTurns } from './lane-turns.ts';

const AT = '2026-11-21T08:00:00.000Z';
const { id, revision, trigger, rerun, requestedBy } = aDeployment();
const root = { name: 'network', onFailure: 'halt' } as const;
const LAST: NonNullable<LaneTurn['last']> = {
  deployment: { id, revision, trigger, rerun, requestedBy, root },
  pool: 'default',
  at: AT,
  jobIds: ['j1'],
};

let store: ObjectStore;
let turns: LaneTurns;

beforeEach(async () => {
  store = createFileStore(await aFolder());
  turns = createLaneTurns(store);
});

test('a lane that was never applied or unlocked has none', async () => {
  expect(await turns.read(aRepository, 'network')).toBeUndefined();
});

test('two changes at once are both kept', async () => {
  const change = (more: Partial<LaneTurn>) =>
    createLaneTurns(store).change(aRepository, 'network', (turn) => Promise.resolve({ ...turn, ...more }));

  await Promise.all([change({ last: LAST }), change({ unlocked: { by: 'grace', at: AT } })]);

  expect(await turns.read(aRepository, 'network')).toMatchObject({ last: LAST, unlocked: { by: 'grace' } });
  expect(await turns.read(aRepository, 'other')).toBeUndefined();
});

test('a change that is refused writes nothing', async () => {
  await turns.change(aRepository, 'network', () => Promise.resolve(undefined));
  const refused = turns.change(aRepository, 'network', () => Promise.reject(new Error('locked')));

  await expect(refused).rejects.toThrow('locked');
  expect(await turns.read(aRepository, 'network')).toBeUndefined();
});

test('one that is broken is not taken for none', async () => {
  await store.put('turns/acme/.github/network.json', Buffer.from('{ "version": 1, "last": {} }'));

  await expect(turns.read(aRepository, 'network')).rejects.toThrow(BrokenRecordError);
});
