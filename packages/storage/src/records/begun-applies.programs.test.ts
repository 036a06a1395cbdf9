import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { BrokenRecordError } from '../errors.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { folderAndBucket } from '../objects/testing/folder-and-bucket.ts';
import { collect } from '../testing.ts';
import { createBegunApplies, type BegunApplies } from './begun-applies.ts';

describe.each(folderAndBucket())('the marker of an apply that began, in %s,', (_name, open) => {
  const mine = { hostId: 'h1', jobId: 'j1' };
  const counts = { added: 1, changed: 0, destroyed: 0, imported: 0 };
  let store: ObjectStore;
  let begun: BegunApplies;

  beforeEach(async () => {
    store = await open();
    begun = createBegunApplies(store).of('default');
  });

  afterEach(() => {
    store.close();
  });

  test('names host and job, and has no outcome yet', async () => {
    expect(await begun.read('d1')).toBeUndefined();

    expect(await begun.begin('d1', mine)).toEqual({ kind: 'begun' });

    const marker = { version: 1, ...mine, at: expect.stringMatching(/^\d{4}-.*Z$/) };
    expect(await begun.read('d1')).toEqual(marker);
    expect(await collect(store.list('begun/'))).toEqual(['begun/default/d1']);
  });

  test('is written by one of several jobs; the others find it', async () => {
    const jobs = Array.from({ length: 5 }, (_, n) => begun.begin('d1', { hostId: 'h1', jobId: `j${n}` }));

    const kinds = (await Promise.all(jobs)).map(({ kind }) => kind);

    expect(kinds.toSorted()).toEqual(['begun', 'found', 'found', 'found', 'found']);
  });

  test('stays as it was for a job that finds it', async () => {
    await begun.begin('d1', mine);

    const second = await begun.begin('d1', { hostId: 'h2', jobId: 'j2' });

    expect(second).toEqual({ kind: 'found', marker: expect.objectContaining(mine) });
    expect(await begun.read('d1')).toMatchObject(mine);
  });

  test('is completed with the outcome', async () => {
    await begun.begin('d1', mine);

    await begun.complete('d1', { kind: 'applied', counts });

    expect(await begun.read('d1')).toMatchObject({ ...mine, outcome: { kind: 'applied', counts } });
  });

  test('holds of a long outcome what is shown of it', async () => {
    await begun.begin('d1', mine);
    const lines = Array.from({ length: 100 }, (_, n) => `${n}${'x'.repeat(1_000)}`);

    await begun.complete('d1', { kind: 'failed', failure: { body: { summary: 'it failed', lines } } });

    const outcome = (await begun.read('d1'))?.outcome;
    const failure = outcome?.kind === 'failed' ? outcome.failure.body : undefined;
    expect(failure?.summary).toBe('it failed');
    expect(failure?.lines).toHaveLength(60);
    expect(failure?.lines.at(-1)).toBe(`99${'x'.repeat(498)}`);
  });

  test('that was removed is not completed, and another job may begin', async () => {
    await begun.begin('d1', mine);
    await begun.remove('d1');
    await begun.remove('d1');

    await begun.complete('d1', { kind: 'unknown', why: 'killed' });

    expect(await begun.read('d1')).toBeUndefined();
    expect(await begun.begin('d1', { hostId: 'h1', jobId: 'j2' })).toEqual({ kind: 'begun' });
  });

  test('says that another deployment had its turn, and no job begins any more', async () => {
    expect(await begun.overtake('d1', 'd2')).toEqual({ kind: 'begun' });

    expect(await begun.begin('d1', mine)).toMatchObject({ kind: 'found', marker: { overtakenBy: 'd2' } });
    expect(await begun.overtake('d1', 'd3')).toMatchObject({ kind: 'found', marker: { overtakenBy: 'd2' } });
  });

  test('does not say so of an apply that began', async () => {
    await begun.begin('d1', mine);

    const overtaking = await begun.overtake('d1', 'd2');

    expect(overtaking).toEqual({ kind: 'found', marker: expect.objectContaining(mine) });
    expect(await begun.read('d1')).not.toHaveProperty('overtakenBy');
  });

  test('that is no marker is not taken for one', async () => {
    await store.put('begun/default/d1', Buffer.from('{ "version": 1 }'));

    await expect(begun.begin('d1', mine)).rejects.toThrow(BrokenRecordError);
  });
});
