import { describe, expect, test } from '@jest/globals';
import { githubPages } from '@nereid/github-pages';
import { aFleetDeployment, aFleetLane, anUndeployed, lockOf } from '../fleet/testing.ts';
import { listLanes } from './list-lanes.ts';

const GITHUB = githubPages('https://github.example');

const lanes = ['app', 'database', 'network'].map((rootName, index) =>
  aFleetLane({
    rootName,
    ...(index === 1 && { lock: lockOf('manual') }),
    running: aFleetDeployment({ id: rootName, requestedBy: rootName, status: 'planning' }),
  }),
);
const idle = aFleetLane({ name: 'other', rootName: 'idle' });
const picture = { lanes: [...lanes, idle], unavailable: [], departed: [] };
const rootsOf = (query: Partial<Parameters<typeof listLanes>[1]>, all = picture) =>
  listLanes(all, { limit: 10, ...query }, GITHUB).items.map(({ rootName }) => rootName);

test('the list has what the filters say', () => {
  expect(rootsOf({ repository: 'acme/other' })).toEqual(['idle']);
  expect(rootsOf({ repository: 'Acme/Other' })).toEqual(['idle']);
  expect(rootsOf({ state: 'planning' })).toEqual(['app', 'database', 'network']);
  expect(rootsOf({ text: 'INFRA data' })).toEqual(['database']);
  expect(rootsOf({ text: 'nobody' })).toEqual([]);
});

describe('a person is found', () => {
  const waiting = [aFleetDeployment({ requestedBy: 'Carol' })];
  const undeployed = [anUndeployed(1, { requestedBy: 'dave' })];
  const all = { ...picture, lanes: [...lanes, { ...idle, waiting, undeployed }] };

  test.each([
    ['what runs', 'network', ['network']],
    ['what waits', 'carol', ['idle']],
    ['what was left undeployed', 'DAVE', ['idle']],
    ['a lock', 'bob', ['database']],
    ['nothing: a part of a name is another name', 'car', []],
  ])('a lane is found for a person by %s', (_what, person, roots) => {
    expect(rootsOf({ person }, all)).toEqual(roots);
  });
});

test('the states are counted of what the other filters leave over', () => {
  expect(listLanes(picture, { limit: 1, state: 'idle', repository: 'acme/infra' }, GITHUB)).toMatchObject({
    items: [],
    counts: { planning: 3 },
  });
});

test('the list goes on behind a lane that is gone meanwhile', () => {
  const first = listLanes(picture, { limit: 2 }, GITHUB);
  const left = { ...picture, lanes: picture.lanes.filter(({ rootName }) => rootName !== 'database') };

  const rest = listLanes(left, { limit: 2, ...(first.next !== undefined && { cursor: first.next }) }, GITHUB);

  expect([...first.items, ...rest.items].map(({ rootName }) => rootName)).toEqual([
    'app',
    'database',
    'network',
    'idle',
  ]);
  expect(rest).not.toHaveProperty('next');
});
