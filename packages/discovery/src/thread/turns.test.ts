import { expect, test } from '@jest/globals';
import { DiscoveryBusyError } from '../errors.ts';
import { createTurns } from './turns.ts';

/** Work that lasts until it is told to end. */
function begun() {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return { work: async () => promise, end: () => resolve(undefined) };
}

test('one repository has one turn at a time, and the others pass it in the order in which they asked', async () => {
  const turns = createTurns(2, 10);
  const order: string[] = [];
  const slow = begun();
  const run = async (repository: string, name: string, work = async () => Promise.resolve()) =>
    turns.run(repository, undefined, async () => {
      order.push(name);
      await work();
    });

  const all = [run('evil', 'evil 1', slow.work), run('evil', 'evil 2'), run('acme', 'acme'), run('other', 'other')];
  await Promise.all(all.slice(2));
  expect(order).toEqual(['evil 1', 'acme', 'other']);
  slow.end();
  await Promise.all(all);

  expect(order).toEqual(['evil 1', 'acme', 'other', 'evil 2']);
});

test('a turn ends with a failure too', async () => {
  const turns = createTurns(1, 10);

  await expect(turns.run('acme', undefined, async () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');

  expect(await turns.run('acme', undefined, async () => Promise.resolve('next'))).toBe('next');
});

test('no more wait than the limit', async () => {
  const turns = createTurns(1, 1);
  const slow = begun();
  const running = turns.run('acme', undefined, slow.work);
  const waiting = turns.run('acme', undefined, async () => Promise.resolve());

  await expect(turns.run('acme', undefined, async () => Promise.resolve())).rejects.toThrow(DiscoveryBusyError);

  slow.end();
  await Promise.all([running, waiting]);
});
