import { beforeEach, expect, test } from '@jest/globals';
import type { MergeReview } from '@nereid/domain/plan';
import type { Signed } from '@nereid/domain/signed';
import { aMergeReview } from '@nereid/domain/testing';
import { storeOfEachTest } from '../objects/testing/store-of-each-test.ts';
import { createMergeReviews, type MergeReviews } from './merge-reviews.ts';

const REPOSITORY = { owner: 'acme', name: 'infra' };

const store = storeOfEachTest();
let reviews: MergeReviews;

beforeEach(() => {
  reviews = createMergeReviews(store);
});

function aReview(previewId: string, more: Partial<MergeReview> = {}): Signed<MergeReview> {
  return aMergeReview({ previewId, ...more });
}

test('a plan has the review that came first', async () => {
  const first = aReview('p1');
  await reviews.open(REPOSITORY, first);

  expect(await reviews.open(REPOSITORY, aReview('p1', { by: 'ada' }))).toEqual({ version: 1, review: first });
  expect(await reviews.read(REPOSITORY, 'network', 'p1')).toEqual({ version: 1, review: first });
  expect(await reviews.read(REPOSITORY, 'network', 'p2')).toBeUndefined();
});

test('the reviews of a root are listed, and those of no other', async () => {
  await reviews.open(REPOSITORY, aReview('p1'));
  await reviews.open(REPOSITORY, aReview('p2'));
  await reviews.open(REPOSITORY, aReview('p3', { rootName: 'network-too' }));

  const found = await reviews.list(REPOSITORY, 'network', 10);

  expect(found.map(({ review }) => review.body.previewId)).toEqual(['p1', 'p2']);
  expect(await reviews.list(REPOSITORY, 'network', 1)).toHaveLength(1);
});

test('the reviews of plans of the same files are found, however many others there are', async () => {
  const other = { tree: 'e'.repeat(40) };
  for (let number = 0; number < 120; number += 1) await reviews.open(REPOSITORY, aReview(`a${number}`, other));
  await reviews.open(REPOSITORY, aReview('p1'));
  await reviews.open(REPOSITORY, aReview('p2', { rootName: 'network-too' }));
  await reviews.open(REPOSITORY, aReview('p3'));

  const found = async () =>
    (await reviews.ofTree(REPOSITORY, 'network', 'd'.repeat(40))).map(({ review }) => review.body.previewId);

  expect(await found()).toEqual(['p1', 'p3']);
  await reviews.remove(REPOSITORY, 'network', 'p1');
  expect(await found()).toEqual(['p3']);
});

test('a removed review leaves nothing behind', async () => {
  await reviews.open(REPOSITORY, aReview('p1'));
  await reviews.remove(REPOSITORY, 'network', 'p1');

  const left: string[] = [];
  for await (const key of store.list('')) left.push(key);

  expect(left).toEqual([]);
});

test('a review is of use for one merge, however often it is asked for', async () => {
  const review = aReview('p1');
  await reviews.open(REPOSITORY, review);

  expect(await reviews.use(REPOSITORY, review.body, 'one')).toBe(true);
  expect(await reviews.use(REPOSITORY, review.body, 'one')).toBe(true);
  expect(await reviews.use(REPOSITORY, review.body, 'other')).toBe(false);
  expect(await reviews.use(REPOSITORY, aReview('gone').body, 'one')).toBe(false);
});

test('a review that was removed is gone, and one that never was is no failure', async () => {
  await reviews.open(REPOSITORY, aReview('p1'));

  await reviews.remove(REPOSITORY, 'network', 'p1');
  await reviews.remove(REPOSITORY, 'network', 'p1');

  expect(await reviews.list(REPOSITORY, 'network', 10)).toEqual([]);
});

test('plans that are kept are found by the day, the oldest first', async () => {
  const place = (id: string) => ({ ...REPOSITORY, rootName: 'network', id });
  await reviews.keepFrom(place('new'), new Date('2026-01-05T00:00:00.000Z'));
  await reviews.keepFrom(place('old'), new Date('2026-01-01T23:00:00.000Z'));
  const before = new Date('2026-01-05T12:00:00.000Z');

  const found = await reviews.keptBefore(before, 10);
  expect(found).toEqual([{ ...place('old'), day: '2026-01-01' }]);
  for (const old of found) await reviews.forget(old);

  expect(await reviews.keptBefore(before, 10)).toEqual([]);
});

test('garbage is refused', async () => {
  await store.put('merge-reviews/acme/infra/network/p1.json', Buffer.from('{"version":1,"by":"grace"}'));

  await expect(reviews.read(REPOSITORY, 'network', 'p1')).rejects.toMatchObject({ code: 'BROKEN_RECORD' });
});
