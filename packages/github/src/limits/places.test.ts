import { expect, test } from '@jest/globals';
import { createPlaces } from './places.ts';

test('so many work at once, the others in the order in which they came', async () => {
  const places = createPlaces(2);
  const began: number[] = [];
  const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<undefined>());

  const all = ends.map(({ promise }, index) =>
    places.run(undefined, async () => {
      began.push(index);
      await promise;
    }),
  );
  await new Promise(setImmediate);
  const first = [...began];
  for (const { resolve } of ends) resolve(undefined);
  await Promise.all(all);

  expect(first).toEqual([0, 1]);
  expect(began).toEqual([0, 1, 2, 3]);
});

test('who waits leaves when it may not begin any more, and takes no place', async () => {
  const places = createPlaces(1);
  const end = Promise.withResolvers<undefined>();
  const begin = new AbortController();
  const works = places.run(undefined, () => end.promise);
  const waits = places.run(begin.signal, () => Promise.resolve('never'));

  begin.abort(new Error('too late'));

  await expect(waits).rejects.toThrow('too late');
  end.resolve(undefined);
  await works;
  expect(await places.run(undefined, () => Promise.resolve('next'))).toBe('next');
});

test('a place is given back by who fails', async () => {
  const places = createPlaces(1);

  const fails = places.run(undefined, () => Promise.reject(new Error('failed')));

  await expect(fails).rejects.toThrow('failed');
  expect(await places.run(undefined, () => Promise.resolve('next'))).toBe('next');
});
