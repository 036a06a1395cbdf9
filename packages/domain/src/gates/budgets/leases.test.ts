import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { askLease, freeAt, NO_LEASES, returnLease, wakeNext, type Leaseholder, type Leases } from './leases.ts';

const NOW = Date.parse('2026-01-31T14:00:00.000Z');
const UNTIL = '2026-01-31T14:15:00.000Z';

const holderOf = (deploymentId: string, name = 'infra'): Leaseholder => ({
  ...{ deploymentId, repository: { owner: 'acme', name }, rootName: `root-${deploymentId}`, pool: 'default' },
});

/** Ordered in the order of their numbers. */
const asks = (leases: Leases, id: string, { name = 'infra', limit = 1, now = NOW, weights = {} } = {}) =>
  askLease(
    leases,
    { ...holderOf(id, name), since: `2026-01-31T13:00:00.${id.padStart(3, '0')}Z` },
    { until: UNTIL, quota: { limit, weights }, now },
  );

const waitFor = (leases: Leases, ...askers: readonly (readonly [id: string, name?: string])[]) =>
  askers.reduce((found, [id, name]) => asks(found, id, { name: name ?? 'infra' }).leases, leases);

const idsOf = (holders: readonly Leaseholder[]) => holders.map(({ deploymentId }) => deploymentId);

describe('a budget of one', () => {
  test('gives its lease to the first that asks, and places to the others', () => {
    const first = asks(NO_LEASES, '1');
    const second = asks(first.leases, '2');
    const third = asks(second.leases, '3');

    expect(first).toMatchObject({ isGranted: true });
    expect(second).toMatchObject({ isGranted: false, ahead: 0 });
    expect(third).toMatchObject({ isGranted: false, ahead: 1 });
    expect(idsOf(third.leases.leases)).toEqual(['1']);
  });

  test('renews the lease of one that asks again', () => {
    const { leases } = asks(NO_LEASES, '1');
    const later = askLease(leases, { ...holderOf('1'), since: '' }, { until: 'later', quota: { limit: 1 }, now: NOW });

    expect(later).toMatchObject({ isGranted: true, leases: { leases: [{ until: 'later' }] } });
  });

  test('gives a free lease to nobody before those that wait already', () => {
    const waiting = waitFor(NO_LEASES, ['1'], ['2'], ['3']);
    const free = returnLease(waiting, '1');

    expect(asks(free, '3')).toMatchObject({ isGranted: false, ahead: 1 });
    expect(asks(free, '4')).toMatchObject({ isGranted: false, ahead: 2 });
    expect(asks(free, '2')).toMatchObject({ isGranted: true });
  });

  test('tells the next one once, and another one if that does not come', () => {
    const free = returnLease(waitFor(NO_LEASES, ['1'], ['2'], ['3']), '1');
    const told = wakeNext(free, { limit: 1 }, NOW);
    const again = wakeNext(told.leases, { limit: 1 }, NOW + 1_000);
    const late = wakeNext(again.leases, { limit: 1 }, NOW + 180_000);

    expect(idsOf(told.woken)).toEqual(['2']);
    expect(again.woken).toEqual([]);
    expect(idsOf(late.woken)).toEqual(['3']);
    expect(asks(late.leases, '3', { now: NOW + 181_000 })).toMatchObject({ isGranted: true });
  });

  test('tells the next one again that has not come: whoever was to tell it may have died', () => {
    const free = returnLease(waitFor(NO_LEASES, ['1'], ['2'], ['3']), '1');
    const told = wakeNext(free, { limit: 1 }, NOW);
    const again = wakeNext(told.leases, { limit: 1 }, NOW + 60_000);
    const late = wakeNext(again.leases, { limit: 1 }, NOW + 130_000);

    expect(idsOf(again.woken)).toEqual(['2']);
    expect(idsOf(late.woken)).toEqual(['3']);
  });

  test('serves the repositories in turn, and of each the deployment that was ordered first', () => {
    const waiting = waitFor(NO_LEASES, ['1'], ['2'], ['4'], ['3'], ['5', 'app'], ['6', 'app']);

    expect(servedIn(returnLease(waiting, '1'))).toEqual(['5', '2', '6', '3', '4']);
  });
});

describe('a deployment that waits may get a lease, although nobody tells it,', () => {
  const LAPSES = [1, 2, 3].map((minutes) => NOW + minutes * 60_000);
  const [first = 0, second = 0, third = 0] = LAPSES;
  const three: Leases = {
    ...NO_LEASES,
    leases: LAPSES.map((at, n) => ({ ...holderOf(`${n}`), until: new Date(at).toISOString() })),
  };
  const waiting = (limit: number) => ['4', '5'].reduce((found, id) => asks(found, id, { limit }).leases, three);

  test.each([
    [3, '4', first],
    [3, '5', second],
    // The budget was made smaller.
    [2, '4', second],
    [2, '5', third],
    [1, '4', third],
    [1, '5', undefined],
    [0, '4', undefined],
  ])('when enough leases have lapsed: of %j, the deployment %s', (limit, id, expected) => {
    expect(freeAt(waiting(limit), id, { limit }, NOW)).toBe(expected);
  });

  test('never because of one that has lapsed and is held all the same: its apply has begun', () => {
    expect(freeAt(waiting(3), '4', { limit: 3 }, first)).toBe(second);
    expect(freeAt(waiting(3), '4', { limit: 3 }, third)).toBeUndefined();
  });

  test('when another one that was told of a free lease has not come', () => {
    const told = wakeNext(returnLease(waitFor(NO_LEASES, ['1'], ['2'], ['3']), '1'), { limit: 1 }, NOW);
    const late = freeAt(told.leases, '3', { limit: 1 }, NOW) ?? 0;

    expect(asks(told.leases, '3', { now: late })).toMatchObject({ isGranted: false });
    expect(asks(told.leases, '3', { now: late + 1 })).toMatchObject({ isGranted: true });
  });

  test('at no known time without a place', () => {
    expect(freeAt(three, '4', { limit: 3 }, NOW)).toBeUndefined();
  });
});

/** Each in turn gets the lease, and gives it back. */
function servedIn(found: Leases, weights: Readonly<Record<string, number>> = {}): readonly string[] {
  const { woken, leases } = wakeNext(found, { limit: 1, weights }, NOW);
  const [next] = woken;
  if (next === undefined) return [];
  const { deploymentId, repository } = next;
  const { leases: taken, isGranted } = asks(leases, deploymentId, { name: repository.name, weights });
  expect(isGranted).toBe(true);
  return [deploymentId, ...servedIn(returnLease(taken, deploymentId), weights)];
}

describe('a repository of weight 3', () => {
  const WEIGHTS = { 'acme/infra': 3 };

  test('is served three times for once of another one', () => {
    const waiting = waitFor(
      NO_LEASES,
      ...['1', '2', '3', '4', '5', '6', '7'].map((id) => [id] as const),
      ...['11', '12', '13'].map((id) => [id, 'app'] as const),
    );

    expect(servedIn(returnLease(waiting, '1'), WEIGHTS)).toEqual(['2', '3', '11', '4', '5', '6', '12', '7', '13']);
  });

  test('has three leases of four while another one waits', () => {
    const four = { limit: 4, weights: WEIGHTS };
    const ids = ['1', '2', '3', '4', '5'];
    const full = ids.reduce((found, id) => asks(found, id, four).leases, NO_LEASES);
    const waiting = asks(full, '9', { name: 'app', ...four }).leases;

    const oneEnds = returnLease(waiting, '1');
    expect(idsOf(wakeNext(oneEnds, four, NOW).woken)).toEqual(['9']);
    const shared = asks(oneEnds, '9', { name: 'app', ...four }).leases;
    expect(
      idsOf(wakeNext(returnLease(asks(shared, '10', { name: 'app', ...four }).leases, '2'), four, NOW).woken),
    ).toEqual(['5']);
  });
});

test('with several leases, no repository has them all while another one waits', () => {
  const full = ['1', '2'].reduce((found, id) => asks(found, id, { limit: 2 }).leases, NO_LEASES);
  const waiting = [
    ['3', 'infra'],
    ['4', 'infra'],
    ['9', 'app'],
  ].reduce((found, [id = '', name = '']) => asks(found, id, { name, limit: 2 }).leases, full);

  expect(idsOf(wakeNext(returnLease(waiting, '1'), { limit: 2 }, NOW).woken)).toEqual(['9']);
});

test('a budget never gives more leases than it has, and all that wait get one in the end', () => {
  const step = fc.oneof(
    fc.nat({ max: 30 }).map((id) => ({ kind: 'asks' as const, id })),
    fc.nat({ max: 30 }).map((place) => ({ kind: 'ends' as const, place })),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 80 }), (limit, steps) => {
      let leases = NO_LEASES;
      for (const one of steps) {
        if (one.kind === 'asks') leases = asks(leases, `${one.id}`, { name: `r${one.id % 4}`, limit }).leases;
        else leases = returnLease(leases, leases.leases[one.place]?.deploymentId ?? '');
        expect(leases.leases.length).toBeLessThanOrEqual(limit);
      }
      for (let rounds = 0; leases.waiting.length > 0; rounds += 1) {
        expect(rounds).toBeLessThan(100);
        leases = returnLease(leases, leases.leases[0]?.deploymentId ?? '');
        const { woken, leases: told } = wakeNext(leases, { limit }, NOW);
        leases = told;
        for (const { deploymentId, repository } of woken)
          leases = asks(leases, deploymentId, { name: repository.name, limit }).leases;
      }
    }),
  );
});

test('more than a record holds ask again, and the record stays bounded', () => {
  const ids = Array.from({ length: 700 }, (_, n) => `${n}`);
  const leases = ids.reduce((found, id) => asks(found, id).leases, NO_LEASES);

  expect(leases.waiting).toHaveLength(500);
});
