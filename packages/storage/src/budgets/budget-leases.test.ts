import { expect, test } from '@jest/globals';
import { askLease, type Leases } from '@nereid/domain/gates';
import { storeOfEachTest } from '../objects/testing/store-of-each-test.ts';
import { createBudgetLeases } from './budget-leases.ts';

const store = storeOfEachTest();

const PROD = { name: 'aws-prod', door: 'apply' } as const;

const ask = (id: string) => (found: Leases) => {
  const repository = { owner: 'acme', name: 'infra' };
  const asker = { deploymentId: id, repository, rootName: 'network', pool: 'default', since: id };
  return askLease(found, asker, { until: '2026-01-31T14:15:00.000Z', quota: { limit: 1 }, now: 0 });
};

test('of 100 deployments that ask at once, one gets the lease, and each of the others a place', async () => {
  const [one, other] = [createBudgetLeases(store), createBudgetLeases(store)];
  const ids = Array.from({ length: 100 }, (_, n) => `${1000 + n}`);

  const answers = await Promise.all(ids.map((id, n) => (n % 2 === 0 ? one : other).change(PROD, ask(id))));

  expect(answers.filter(({ isGranted }) => isGranted)).toHaveLength(1);
  await createBudgetLeases(store).change(PROD, (found) => {
    expect(found.leases).toHaveLength(1);
    expect(found.waiting).toHaveLength(99);
    return {};
  });
});

test('a change that fails holds up no other one', async () => {
  const budgets = createBudgetLeases(store);
  const failing = budgets.change(PROD, () => Promise.reject(new Error('storage is away')));
  const next = budgets.change(PROD, ask('1'));

  await expect(failing).rejects.toThrow('storage is away');
  await expect(next).resolves.toMatchObject({ isGranted: true });
});

test('each budget has leases of its own, and others for its plans', async () => {
  const budgets = createBudgetLeases(store);

  await expect(budgets.change(PROD, ask('1'))).resolves.toMatchObject({ isGranted: true });
  await expect(budgets.change({ ...PROD, name: 'aws-dev' }, ask('2'))).resolves.toMatchObject({ isGranted: true });
  await expect(budgets.change({ ...PROD, door: 'plan' }, ask('3'))).resolves.toMatchObject({ isGranted: true });
  await expect(budgets.change(PROD, ask('4'))).resolves.toMatchObject({ isGranted: false });
});

test('a record that cannot be read is an error, and stays', async () => {
  await store.put('budgets/aws-prod.json', Buffer.from('{'));

  await expect(createBudgetLeases(store).change(PROD, ask('1'))).rejects.toHaveProperty('code', 'BROKEN_RECORD');
});
