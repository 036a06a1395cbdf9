/** The order of deployments as intake stores it, the lanes that hear of an end, and what a re-run brings along. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { checkRunName, type Deployment, type EndedStatus } from '@nereid/domain/deployment';
import { laneWorkflowId } from '@nereid/domain/lane';
import type { OrderedRoot } from '@nereid/domain/rollout';
import { deploymentAt, progressAs, REPOSITORY, shaAt } from '@nereid/domain/testing';
import {
  createDeploymentRecords,
  createLaneRecords,
  createRolloutRecords,
  type DeploymentRecords,
  type RolloutRecords,
} from '@nereid/storage';
import { storeOfEachTest } from '@nereid/storage/testing';
import { WorkflowNotFoundError } from '@temporalio/client';
import { pino } from 'pino';
import type { IntakeCall } from '../intake/intake-call.ts';
import { findDependents } from '../intake/rerun/dependents.ts';
import { startRollout } from './start-rollout.ts';
import { notifyDependents } from './notify-dependents.ts';

/** `cluster` names `network`, `app` names `cluster`, `dns` names `network`. */
const ORDERING = [
  { rootName: 'cluster', group: 0, dependsOn: ['network'] },
  { rootName: 'app', group: 0, dependsOn: ['cluster'] },
  { rootName: 'dns', group: 0, dependsOn: ['network'] },
];

const SHA = shaAt(1);

const store = storeOfEachTest();
let rolloutRecords: RolloutRecords;
let deploymentRecords: DeploymentRecords;
let context: Parameters<typeof notifyDependents>[0] & IntakeCall['context'];
let told: string[];

beforeEach(() => {
  rolloutRecords = createRolloutRecords(store);
  deploymentRecords = createDeploymentRecords(store);
  told = [];
  context = {
    rolloutRecords,
    deploymentRecords,
    laneRecords: createLaneRecords(store),
    logger: pino({ level: 'silent' }),
    // Every commit of the branch is an ancestor of those with a higher position.
    mirrors: { isAncestor: (_repository: unknown, one: string, other: string) => Promise.resolve(one <= other) },
    temporal: {
      connection: {},
      options: { namespace: 'default' },
      withDeadline: (_deadline: number, act: () => Promise<unknown>) => act(),
      workflow: {
        getHandle: (id: string) => ({
          signal: async (name: string) => {
            await Promise.resolve();
            if (id.endsWith('||dns')) throw new WorkflowNotFoundError('it does not run', id, undefined);
            told.push(`${name} ${id}`);
          },
        }),
      },
    },
  } as unknown as typeof context; // What is used of it.
});

function start(
  rootNames: readonly string[],
  more: {
    readonly stopped?: readonly string[];
    readonly unfinished?: readonly OrderedRoot[];
    readonly source?: string;
    readonly isOfBranch?: boolean;
  } = {},
) {
  const { stopped = [], unfinished = [], source = 'delivery-1', isOfBranch = true } = more;
  return startRollout(context, {
    repository: REPOSITORY,
    sha: SHA,
    source,
    ordering: ORDERING,
    roots: rootNames.map((name) => ({ name })),
    stopped: stopped.map((name) => ({ name })),
    unfinished,
    isRerun: source !== 'delivery-1',
    isOfBranch,
  });
}

const ID = `${SHA}/delivery-1`;

function ends(rootName: string, status: EndedStatus): Promise<void> {
  return rolloutRecords.end(REPOSITORY, ID, rootName, { kind: 'ended', status });
}

function deploymentOf(rootName: string): Deployment {
  const deployment = deploymentAt(1);
  return { ...deployment, root: { ...deployment.root, name: rootName }, rollout: ID };
}

describe('intake', () => {
  test('stores the order once, and every attempt gets the first one', async () => {
    const first = await start(['network', 'app']);
    const again = await start(['network', 'app', 'cluster']);

    expect(first).toEqual({
      rootNames: new Set(['network', 'app']),
      ordered: { rollout: ID, together: { rollout: ID } },
    });
    expect(again).toEqual(first);
  });

  test('stores roots that go side by side, so that they are shown together, and none waits', async () => {
    const started = await start(['cluster', 'dns']);

    expect(started?.ordered).toEqual({ together: { rollout: ID } });
    expect((await rolloutRecords.read(REPOSITORY, ID))?.roots).toHaveLength(2);
  });

  test.each([
    ['a single root', ['dns'], true],
    ['the head of a pull request', ['cluster', 'dns'], false],
  ])('stores nothing for %s', async (_what, rootNames, isOfBranch) => {
    expect(await start(rootNames, { isOfBranch })).toBeUndefined();
    expect(await rolloutRecords.read(REPOSITORY, ID)).toBeUndefined();
  });

  test('stores a single root that is re-run where its revision has a rollout', async () => {
    expect(await start(['dns'], { source: 'too early' })).toBeUndefined();
    await start(['cluster', 'dns']);

    const started = await start(['dns'], { source: 'delivery-2' });

    expect(started?.ordered).toEqual({ together: { rollout: `${SHA}/delivery-2` } });
  });

  test('marks the deployments of more than 50 roots', async () => {
    const names = Array.from({ length: 51 }, (_, n) => `r${n}`);

    const started = await start(names);

    expect(started?.ordered).toEqual({ together: { rollout: ID, isLarge: true } });
  });

  test('a root that cannot be deployed counts as one that was refused', async () => {
    await start(['network', 'app'], { stopped: ['network'] });

    expect(await rolloutRecords.ends(REPOSITORY, ID)).toEqual(
      new Map([['network', [{ kind: 'ended', status: 'refused', at: expect.any(Number) }]]]),
    );
  });

  test('earlier deployments are waited for, but not ordered again', async () => {
    const unfinished = [{ rootName: 'network', deploymentId: 'network-1', of: ID }];
    const started = await start(['cluster'], { unfinished, source: 'delivery-2' });

    expect(started?.rootNames).toEqual(new Set(['cluster']));
    const stored = await rolloutRecords.read(REPOSITORY, started?.ordered.rollout ?? '');
    expect(stored?.roots).toContainEqual({
      rootName: 'network',
      group: 0,
      dependsOn: [],
      deploymentId: 'network-1',
      of: ID,
    });
  });
});

describe('the end of a deployment', () => {
  test('is told to the lanes that wait for it, and not to those that do not run', async () => {
    await start(['network', 'cluster', 'app', 'dns']);
    await ends('network', 'succeeded');
    await notifyDependents(context, REPOSITORY, deploymentOf('network'));

    expect(told).toEqual([`look-again ${laneWorkflowId(REPOSITORY, 'cluster')}`]);
  });

  test('is no news for a lane that waits for many others', async () => {
    const groups = Array.from({ length: 5 }, (_, n) => ({ rootName: `r${n}`, group: n === 4 ? 1 : 0, dependsOn: [] }));
    const roots = groups.map(({ rootName }) => ({ name: rootName }));
    const rollout = {
      repository: REPOSITORY,
      sha: SHA,
      source: 'delivery-1',
      stopped: [],
      unfinished: [],
      isRerun: false,
      isOfBranch: true,
    };
    await startRollout(context, { ...rollout, ordering: groups, roots });
    await ends('r0', 'succeeded');
    await notifyDependents(context, REPOSITORY, deploymentOf('r0'));
    expect(told).toEqual([]);

    await ends('r1', 'apply-failed');
    await notifyDependents(context, REPOSITORY, deploymentOf('r1'));
    expect(told).toEqual([`look-again ${laneWorkflowId(REPOSITORY, 'r4')}`]);
  });

  test('without a rollout is told to nobody; with one that is gone, nothing fails', async () => {
    const { rollout: _none, ...alone } = deploymentOf('network');
    await notifyDependents(context, REPOSITORY, alone);
    await notifyDependents(context, REPOSITORY, deploymentOf('network'));

    expect(told).toEqual([]);
  });
});

describe('a re-run', () => {
  async function dependentsOf(rootName: string) {
    const endedAt = new Date().toISOString();
    const deployment = { ...deploymentOf(rootName), id: `${rootName}-1`, progress: progressAs('apply-failed') };
    await deploymentRecords.write({ version: 1, repository: REPOSITORY, deployment, endedAt });
    const call = { context, signal: new AbortController().signal } as unknown as IntakeCall; // What is used of it.
    const pressed = {
      id: 1,
      name: checkRunName(rootName),
      headSha: SHA,
      externalId: `${rootName}-1`,
      conclusion: 'failure',
    };
    return findDependents(call, REPOSITORY, pressed);
  }

  test('brings the roots that were not started because of it, also those further behind', async () => {
    await start(['network', 'cluster', 'app', 'dns']);
    await ends('network', 'apply-failed');
    await ends('cluster', 'refused');
    await ends('app', 'refused');
    await ends('dns', 'cancelled');

    const { rootNames, unfinished } = await dependentsOf('network');

    expect(rootNames.toSorted()).toEqual(['app', 'cluster']);
    expect([...unfinished.keys()].toSorted()).toEqual(['app', 'cluster', 'dns', 'network']);
  });

  test('waits for what has not ended or failed before, but not for what took effect, or was deployed since', async () => {
    await start(['network', 'cluster', 'app']);
    await ends('network', 'apply-failed');
    await ends('cluster', 'refused');
    expect([...(await dependentsOf('cluster')).unfinished.keys()].toSorted()).toEqual(['app', 'cluster', 'network']);

    const later = deploymentAt(2);
    const deployment = {
      ...later,
      id: 'network-2',
      root: { ...later.root, name: 'network' },
      progress: progressAs('succeeded'),
    };
    await deploymentRecords.write({
      version: 1,
      repository: REPOSITORY,
      deployment,
      endedAt: new Date().toISOString(),
    });

    expect([...(await dependentsOf('cluster')).unfinished.keys()].toSorted()).toEqual(['app', 'cluster']);
  });

  test('brings nothing for a deployment without a rollout', async () => {
    const call = { context, signal: new AbortController().signal } as unknown as IntakeCall; // What is used of it.
    const pressed = {
      id: 1,
      name: checkRunName('network'),
      headSha: SHA,
      externalId: 'unknown',
      conclusion: 'failure',
    };

    expect(await findDependents(call, REPOSITORY, pressed)).toEqual({ rootNames: [], unfinished: new Map() });
  });
});
