import { describe, expect, test } from '@jest/globals';
import type { DeploymentStatus } from '../../deployment/status.ts';
import type { Ordering, Rollout, RolloutEnd } from '../model.ts';
import { planRollout } from './graph.ts';
import { hasRootEnded, isAtWork, rootStatesOf, type StoredRollout } from './root-states.ts';

const ENDED = { kind: 'ended', status: 'succeeded' } as const;
const FAILED = { kind: 'ended', status: 'apply-failed' } as const;

interface Told {
  readonly minute?: number;
  readonly ordering?: Ordering;
  readonly isRerun?: boolean;
  readonly ends?: Readonly<Record<string, readonly RolloutEnd[]>>;
}

/** The deployment of `network` in the rollout `a` is `a-network`. */
function told(
  source: string,
  names: readonly string[],
  { minute = 0, ordering = [], isRerun = false, ends = {} }: Told = {},
) {
  const deployed = names.map((rootName) => ({ rootName, deploymentId: `${source}-${rootName}` }));
  const rollout: Rollout = {
    version: 1,
    repository: { owner: 'acme', name: 'infra' },
    id: `sha/${source}`,
    revision: 'sha',
    orderedAt: new Date(Date.UTC(2026, 0, 31, 14, minute)).toISOString(),
    isRerun,
    roots: planRollout(ordering, deployed),
  };
  return { rollout, ends: new Map(Object.entries(ends)) };
}

function statusesOf(stored: readonly StoredRollout[], statuses: Readonly<Record<string, DeploymentStatus>> = {}) {
  const states = rootStatesOf(stored, new Map(Object.entries(statuses)));
  return Object.fromEntries(states.map(({ rootName, status }) => [rootName, status]));
}

describe('a root of a rollout', () => {
  test('is as far as its workflow says, and queued until there is one', () => {
    const stored = [told('a', ['network', 'dns'])];

    expect(statusesOf(stored, { 'a-network': 'planning' })).toEqual({ network: 'planning', dns: 'queued' });
  });

  test('has ended once storage says so, and not before, whatever Temporal says', () => {
    const stored = [told('a', ['network', 'dns'], { ends: { network: [ENDED] } })];
    const statuses = { 'a-network': 'applying', 'a-dns': 'succeeded' } as const;

    expect(statusesOf(stored, statuses)).toEqual({ network: 'succeeded', dns: 'ending' });
  });

  test('of several ends has the worst', () => {
    const stored = [told('a', ['network', 'dns'], { ends: { network: [ENDED, FAILED] } })];

    expect(statusesOf(stored)['network']).toBe('apply-failed');
  });

  test('that goes with a later deployment says so', () => {
    const stored = [told('a', ['network'], { ends: { network: [{ kind: 'carried', deploymentId: 'later' }] } })];

    expect(rootStatesOf(stored, new Map())).toMatchObject([{ status: 'skipped', isCarried: true }]);
  });

  test('names the roots for which it waits, while nobody works on it', () => {
    const ordering = [{ rootName: 'app', group: 0, dependsOn: ['network', 'dns'] }];
    const stored = [told('a', ['network', 'dns', 'app'], { ordering, ends: { dns: [ENDED] } })];
    const waits = (statuses: ReadonlyMap<string, DeploymentStatus>) =>
      rootStatesOf(stored, statuses).find(({ rootName }) => rootName === 'app')?.waitsFor;

    expect(waits(new Map())).toEqual({ named: ['network'], count: 1 });
    expect(waits(new Map([['a-app', 'planning']]))).toEqual({ named: [], count: 0 });
  });

  test('that is re-run does not wait for one that was deployed by the merge', () => {
    const ordering = [{ rootName: 'app', group: 0, dependsOn: ['network', 'dns'] }];
    const merge = told('a', ['network', 'dns', 'app'], { ordering, ends: { network: [ENDED], app: [FAILED] } });
    const { rollout } = told('b', ['app', 'network', 'dns'], { minute: 1, isRerun: true, ordering });
    const roots = rollout.roots.map((root) => (root.rootName === 'app' ? root : { ...root, of: 'sha/a' }));
    const states = rootStatesOf([merge, { rollout: { ...rollout, roots }, ends: new Map() }], new Map());

    expect(states.find(({ rootName }) => rootName === 'app')?.waitsFor).toEqual({ named: ['dns'], count: 1 });
  });

  test('that is deployed again stands where its newest deployment stands', () => {
    const merge = told('a', ['network', 'dns'], { ends: { network: [FAILED], dns: [ENDED] } });
    const rerun = told('b', ['network'], { minute: 1, isRerun: true });

    expect(statusesOf([rerun, merge], { 'b-network': 'planning' })).toEqual({ network: 'planning', dns: 'succeeded' });
  });

  test('of a merge that two messages told of is the one that its lane took', () => {
    const stored = [told('a', ['network', 'dns']), told('b', ['network', 'dns'], { minute: 1 })];
    const states = rootStatesOf(stored, new Map([['a-network', 'applying']]));

    expect(states).toMatchObject([{ deploymentId: 'a-network', status: 'applying' }, { deploymentId: 'b-dns' }]);
  });
});

test.each<[DeploymentStatus, boolean, boolean]>([
  ['queued', false, false],
  ['planning', false, true],
  ['awaiting-review', false, false],
  ['applying', false, true],
  ['succeeded', false, true],
])('a workflow that is %s has ended: %s; somebody is at work: %s', (status, ended, atWork) => {
  const states = rootStatesOf([told('a', ['network'])], new Map([['a-network', status]]));

  expect(states.every(hasRootEnded)).toBe(ended);
  expect(isAtWork(states)).toBe(atWork);
});
