import { beforeEach, expect, test } from '@jest/globals';
import type { Deployment, Progress } from '@nereid/domain/deployment';
import type { DomainEvent } from '@nereid/domain/events';
import { deploymentAt, progressAs, REPOSITORY } from '@nereid/domain/testing';
import { createDeploymentRecords, createRolloutRecords, createRootPlaces, type RootPlaces } from '@nereid/storage';
import { storeOfEachTest } from '@nereid/storage/testing';
import { placeIdOf } from '../../root/root-place.ts';
import { recordDeployment } from './record-deployment.ts';

const NEW_NAME = { ...deploymentAt(3), formerly: { rootName: 'before' } };
const PLACE = placeIdOf(REPOSITORY, NEW_NAME.root);
const REVIEW = { answer: 'approved', by: 'grace', at: '2026-01-31T14:00:00.000Z' } as const;

const store = storeOfEachTest();
let places: RootPlaces;
let published: DomainEvent[];
let record: (deployment: Deployment, status: Progress['status'], more?: Partial<Progress>) => Promise<void>;

beforeEach(() => {
  published = [];
  places = createRootPlaces(store);
  const context = {
    deploymentRecords: createDeploymentRecords(store),
    rolloutRecords: createRolloutRecords(store),
    rootPlaces: places,
    publish: (...events: readonly DomainEvent[]) => Promise.resolve(void published.push(...events)),
  };
  record = (deployment, status, more = {}) => {
    const ended = { ...deployment, progress: { ...progressAs(status), ...more } };
    return recordDeployment(context, {
      version: 1,
      repository: REPOSITORY,
      deployment: ended,
      endedAt: '2026-01-31T14:00:00.000Z',
    });
  };
});

test('an end that is stored again is published again as such, for whoever has not heard of it', async () => {
  await record(deploymentAt(3), 'succeeded');
  await record(deploymentAt(3), 'succeeded');
  await record(deploymentAt(3), 'apply-outcome-unknown');

  const [first, again, ...others] = published;
  expect(first).toMatchObject({ kind: 'ended', status: 'succeeded', sentence: 'Applied' });
  expect(first).not.toHaveProperty('isRepeated');
  expect(again).toEqual({ ...first, isRepeated: true });
  expect(others).toEqual([]);
});

test.each(['succeeded', 'no-changes', 'apply-failed', 'apply-outcome-unknown'] as const)(
  'the first deployment of a place gives it a name: %s',
  async (status) => {
    await record(deploymentAt(3), status);

    expect(await places.namesAt(PLACE)).toEqual([deploymentAt(3).root.name]);
  },
);

test.each(['rejected', 'cancelled', 'plan-failed'] as const)(
  'one that changed nothing gives none: %s',
  async (status) => {
    await record(deploymentAt(3), status);

    expect(await places.namesAt(PLACE)).toEqual([]);
  },
);

test('another name is taken once a person has approved a plan under it, and not before', async () => {
  await places.add(PLACE, 'before');

  await record(NEW_NAME, 'no-changes');
  expect(await places.namesAt(PLACE)).toEqual(['before']);

  await record({ ...NEW_NAME, id: 'another' }, 'succeeded', { review: REVIEW });
  expect(await places.namesAt(PLACE)).toEqual(['before', NEW_NAME.root.name]);
});
