import { describe, expect, test } from '@jest/globals';
import type { Deployment } from '@nereid/domain/deployment';
import type { Beginning } from '@nereid/domain/deployment-actor';
import { NO_LEASES, type Lease, type Leases, type Waiter } from '@nereid/domain/gates';
import type { LaneTurn, TakenTurn } from '@nereid/domain/lane';
import { NOW } from '@nereid/domain/testing';
import { BrokenRecordError } from '@nereid/storage';
import { returnLeases, returnSettled, type LeaseContext } from '../lane/budgets/budget-leases.ts';
import { begin, type BeginContext } from './begin.ts';
import { aBeginning } from './testing/a-beginning.ts';
import { beginContext, type World } from './testing/begin-context.ts';

const NO_COUNTS = { added: 0, changed: 0, destroyed: 0, imported: 0 };

const BUDGETS = '[{ name: prod, applies: 1 }, { name: aws, applies: 1, repositories: ["acme/*"] }]';

const isoIn = (ms: number) => new Date(Date.now() + ms).toISOString();

const leaseOf = (deploymentId: string, more: Partial<Lease> = {}): Lease => ({
  ...{ deploymentId, repository: { owner: 'acme', name: 'app' }, rootName: 'db', pool: 'default' },
  ...{ until: isoIn(60_000), ...more },
});

const waiterOf = (deploymentId: string): Waiter => {
  const { until: _none, ...holder } = leaseOf(deploymentId);
  return { ...holder, since: '2026-01-01T00:00:00.000Z' };
};

const taken = (...leases: readonly Lease[]): Leases => ({ ...NO_LEASES, leases });

const holdersOf = (leases: Map<string, Leases>, name: string) =>
  leases.get(name)?.leases.map(({ deploymentId }) => deploymentId);

describe('permission to apply a root that budgets are about', () => {
  const asks = async (world: World) => {
    const leases = world.leases ?? new Map<string, Leases>();
    const beginning = await aBeginning();
    const given = begin(beginContext({ budgets: BUDGETS, ...world, leases }), beginning);
    return { given, leases, id: beginning.deployment.id };
  };

  test('takes a lease of each, and ends before they lapse', async () => {
    const { given, leases, id } = await asks({});

    const { beginBy } = (await given).body;

    expect(holdersOf(leases, 'aws')).toEqual([id]);
    expect(holdersOf(leases, 'prod')).toEqual([id]);
    const [lease] = leases.get('aws')?.leases ?? [];
    expect(beginBy < (lease?.until ?? '')).toBe(true);
  });

  test('is not given without a free lease, takes no turn, and keeps no other lease', async () => {
    const turns: unknown[] = [];
    const turn = async (...asked: readonly unknown[]) => void turns.push(asked);
    const { given, leases } = await asks({ leases: new Map([['prod', taken(leaseOf('another'))]]), turn });

    await expect(given).rejects.toMatchObject({
      code: 'GATE_CLOSED',
      message: '1 of 1 apply on prod: 1 of other repositories (when last asked)',
      wait: { gate: 'budget', who: ['other lanes'] },
    });
    expect(turns).toEqual([]);
    expect(holdersOf(leases, 'aws')).toEqual([]);
    expect(leases.get('prod')?.waiting).toHaveLength(1);
  });

  test('is asked for again when the lease of a host that died lapses', async () => {
    const dead = leaseOf('another', { until: isoIn(9 * 60_000) });
    const { given } = await asks({ leases: new Map([['prod', taken(dead)]]) });

    await expect(given).rejects.toMatchObject({ wait: { gate: 'budget', askAgain: Date.parse(dead.until) } });
  });

  test('waits with the names and the ids of the deployments of its own repository that hold a lease', async () => {
    const { repository } = await aBeginning();
    const leases = new Map([['prod', taken(leaseOf('own', { repository }), leaseOf('foreign'))]]);
    const budgets = '[{ name: prod, applies: 2 }]';

    await expect(begin(beginContext({ budgets, leases }), await aBeginning())).rejects.toMatchObject({
      message: '2 of 2 applies on prod: db and 1 of other repositories (when last asked)',
      wait: { named: [{ rootName: 'db', deploymentId: 'own' }] },
    });
  });

  test.each<[string, Partial<Lease>, World['begun']]>([
    ['whose apply did not begin in time', { until: isoIn(-1) }, {}],
    ['whose apply has ended', { until: isoIn(-1) }, { another: { outcome: { kind: 'applied', counts: NO_COUNTS } } }],
    ['that another deployment overtook', { until: isoIn(-1) }, { another: { overtakenBy: 'third' } }],
  ])('is given when the lease is one of a deployment %s', async (_what, more, begun) => {
    const leases = new Map([['prod', taken(leaseOf('another', more))]]);
    const { given } = await asks({ leases, ...(begun && { begun }) });

    await expect(given).resolves.toHaveProperty('signature');
    expect(holdersOf(leases, 'prod')).not.toContain('another');
  });

  test.each<[string, Partial<Lease>]>([
    ['that may begin yet', {}],
    ['that has begun, however long ago', { until: isoIn(-3_600_000) }],
  ])('is not given while the lease is one of an apply %s', async (what, more) => {
    const begun = what.includes('has begun') ? { another: { at: isoIn(-3_600_000) } } : {};
    const { given } = await asks({ leases: new Map([['prod', taken(leaseOf('another', more))]]), begun });

    await expect(given).rejects.toHaveProperty('code', 'GATE_CLOSED');
  });

  test('is given to those that wait already, who are told, and not to the next that asks', async () => {
    const rung: string[] = [];
    const leases = new Map([['prod', { ...NO_LEASES, waiting: [waiterOf('earlier')] }]]);
    const { given } = await asks({ leases, onRing: (id) => void rung.push(id) });

    await expect(given).rejects.toMatchObject({
      message: '0 of 1 apply on prod. One deployment comes first (when last asked)',
    });
    expect(rung).toEqual(['earlier']);
  });

  test('waits, and keeps no other lease, while the record of one cannot be read', async () => {
    const leases = new Map<string, Leases>();
    const context = beginContext({ budgets: BUDGETS, leases });
    const kept = context.budgetLeases;
    const budgetLeases: typeof kept = {
      change: (budget, ...asked) =>
        budget.name === 'prod'
          ? Promise.reject(new BrokenRecordError('budgets/prod.json', 'cut off'))
          : kept.change(budget, ...asked),
    };

    await expect(begin({ ...context, budgetLeases }, await aBeginning())).rejects.toMatchObject({
      code: 'GATE_CLOSED',
      wait: { gate: 'budget', who: ['operators'] },
    });
    expect(holdersOf(leases, 'aws')).toEqual([]);
  });

  test('takes none for a plan without changes', async () => {
    const leases = new Map([['prod', taken(leaseOf('another'))]]);

    await expect(
      begin(beginContext({ budgets: BUDGETS, leases }), await aBeginning({ hasChanges: false })),
    ).resolves.toHaveProperty('signature');
  });

  test('is given as before where no budget is about it', async () => {
    const { given, leases } = await asks({ budgets: '[{ name: dev, applies: 1, roots: ["dev/**"] }]' });

    await expect(given).resolves.toHaveProperty('signature');
    expect(leases.size).toBe(0);
  });

  test('gives back the leases where no permission is given after all', async () => {
    const turn = () => Promise.reject(new Error('storage is away'));
    const { given, leases } = await asks({ turn });

    await expect(given).rejects.toThrow('storage is away');
    expect(holdersOf(leases, 'aws')).toEqual([]);
    expect(holdersOf(leases, 'prod')).toEqual([]);
  });

  test('keeps a lease with which it was given before, whatever comes of another request', async () => {
    const { given, leases, id } = await asks({});
    await given;
    const turn = () => Promise.reject(new Error('storage is away'));

    await expect((await asks({ leases, turn })).given).rejects.toThrow('storage is away');
    expect(holdersOf(leases, 'prod')).toEqual([id]);
  });

  test('keeps a lease that another request renewed meanwhile, which may have its permission', async () => {
    const leases = new Map<string, Leases>();
    const renewed = leaseOf('1', { until: isoIn(3_600_000) });
    const turn = () => {
      leases.set('prod', taken(renewed));
      return Promise.reject(new Error('storage is away'));
    };

    await expect((await asks({ leases, turn })).given).rejects.toThrow('storage is away');
    expect(leases.get('prod')?.leases).toEqual([renewed]);
    expect(holdersOf(leases, 'aws')).toEqual([]);
  });
});

test('permission to apply gives back the lease of the plan, and tells the lane of the next one', async () => {
  const { plans, rung } = await withPlanLease(async (context, beginning) => {
    await begin(context, beginning);
  });

  expect(plans).toEqual([]);
  expect(rung).toEqual(['acme/app||db']);
});

test('the end of a deployment gives back the lease of its plan, however it ended', async () => {
  const { plans, rung } = await withPlanLease(returnAll);

  expect(plans).toEqual([]);
  expect(rung).toEqual(['acme/app||db']);
});

function returnAll(context: BeginContext, { repository, deployment }: Beginning): Promise<void> {
  return returnLeases(context, repository, [deployment]);
}

async function withPlanLease(act: (context: BeginContext, beginning: Beginning) => Promise<void>) {
  const beginning = await aBeginning();
  const { context, leases, rung } = withLease('plan rate', beginning, { budgets: '[{ name: rate, plans: 1 }]' });
  await act(context, beginning);
  return { plans: holdersOf(leases, 'plan rate'), rung };
}

/** The deployment has a lease, for which the next one waits. */
function withLease(name: string, { deployment }: Beginning, world: World) {
  const leases = new Map([[name, { ...taken(leaseOf(deployment.id)), waiting: [waiterOf('next')] }]]);
  const rung: string[] = [];
  return { context: beginContext({ ...world, leases, onRing: (id) => void rung.push(id) }), leases, rung };
}

describe('the end of a deployment', () => {
  const ended = async (begun: NonNullable<World['begun']>) => {
    const beginning = await aBeginning();
    const { context, leases, rung } = withLease('prod', beginning, { budgets: BUDGETS, begun });
    await returnAll(context, beginning);
    return { rung, holders: holdersOf(leases, 'prod') };
  };

  test('gives back its lease, and tells the next one', async () => {
    expect(await ended({ 1: { outcome: { kind: 'applied', counts: NO_COUNTS } } })).toEqual({
      rung: ['next'],
      holders: [],
    });
  });

  test('keeps the lease while its permission to apply may still be used, or its outcome is unknown', async () => {
    const kept = { rung: [], holders: ['1'] };

    expect(await ended({})).toEqual(kept);
    expect(await ended({ 1: { at: isoIn(-1_000) } })).toEqual(kept);
    expect(await ended({ 1: { at: isoIn(-1_000), outcome: { kind: 'unknown', why: 'its host is lost' } } })).toEqual(
      kept,
    );
  });
});

test.each<[NonNullable<TakenTurn['lifted']>, readonly string[], readonly string[]]>([
  ['after its end', [], ['next']],
  ['before its end', ['1'], []],
])('an unlock %s of an unknown outcome leaves the lease to %j, and tells %j', async (lifted, holders, told) => {
  const beginning = await aBeginning();
  const { repository, deployment } = beginning;
  const begun = { 1: { at: isoIn(-1_000), outcome: { kind: 'unknown', why: 'its host is lost' } } } as const;
  const { context, leases, rung } = withLease('prod', beginning, { budgets: BUDGETS, begun });
  const unknown: Deployment = { ...deployment, progress: { ...deployment.progress, status: 'apply-outcome-unknown' } };
  const turn: LaneTurn = {
    version: 1,
    repository,
    rootName: 'network',
    last: { deployment, lifted, pool: 'default', at: NOW, jobIds: [] },
  };
  const record = { version: 1, repository, deployment: unknown, endedAt: NOW } as const;
  const stored: LeaseContext = {
    ...context,
    laneTurns: { ...context.laneTurns, read: () => Promise.resolve(turn) },
    deploymentRecords: { ...context.deploymentRecords, find: () => Promise.resolve(record) },
  };

  await returnSettled(stored, repository, 'network');

  expect([holdersOf(leases, 'prod'), rung]).toEqual([holders, told]);
});
