import { expect, test } from '@jest/globals';
import type { DiskUse, Mirrors } from '@nereid/git';
import type { KeptPackage } from '@nereid/terraform';
import { pino } from 'pino';
import { keepDiskBudget } from './disk-budget.ts';

const nothing: DiskUse = {
  mirrorBytes: 0,
  idleTreeBytes: 0,
  besideBytes: 0,
  removedMirrors: [],
  removedTrees: 0,
  removedBeside: 0,
};
const PROVIDER: KeptPackage = { bytes: 7, usedAt: 1, remove: async () => Promise.resolve(true) };

/** A worker whose looks find this, one after the other, and in the end the last one again. */
async function lookedAt(...finds: readonly (DiskUse | Error)[]) {
  const lines: { readonly level: number; readonly msg: string }[] = [];
  const uses: DiskUse[] = [];
  const enough = Promise.withResolvers<undefined>();
  let looks = 0;
  const keepWithin: Mirrors['keepWithin'] = async (_, beside) => {
    expect(beside).toEqual([PROVIDER]);
    looks += 1;
    if (looks === finds.length + 1) enough.resolve(undefined);
    const found = finds[Math.min(looks, finds.length) - 1] ?? nothing;
    return found instanceof Error ? Promise.reject(found) : Promise.resolve(found);
  };
  const logger = pino({}, { write: (line: string) => lines.push(JSON.parse(line) as (typeof lines)[number]) });
  const onUse = (use: DiskUse) => uses.push(use);

  const providers = { kept: async () => Promise.resolve([PROVIDER]) };

  const stop = keepDiskBudget({ mirrors: { keepWithin }, providers, budgetBytes: 100, onUse, logger, everyMs: 1 });
  await enough.promise;
  await stop();
  return { lines, uses };
}

test('what was removed is in the log, with its numbers', async () => {
  const { lines, uses } = await lookedAt({ ...nothing, mirrorBytes: 90, removedMirrors: ['acme/old'] }, nothing);

  expect(lines).toMatchObject([
    { msg: 'the disk budget was exceeded: removed unused files', budgetBytes: 100, removedMirrors: ['acme/old'] },
  ]);
  expect(uses[0]).toMatchObject({ mirrorBytes: 90 });
});

test('providers count, and are told as such', async () => {
  const { lines } = await lookedAt({ ...nothing, besideBytes: 101, removedBeside: 2 }, nothing);

  expect(lines).toMatchObject([{ providerBytes: 101, removedProviders: 2 }, { providerBytes: 101 }]);
});

test('a budget that is smaller than what is in use is said once, and again when it happens again', async () => {
  const over = { ...nothing, mirrorBytes: 90, idleTreeBytes: 20 };

  const { lines } = await lookedAt(over, over, nothing, over, over);

  const sentence = 'files in use exceed the disk budget and cannot be removed: raise DISK_BUDGET';
  expect(lines.map(({ msg }) => msg)).toEqual([sentence, sentence]);
});

test('a look that fails is told, and followed by the next one', async () => {
  const { lines, uses } = await lookedAt(new Error('sick disk'), nothing);

  expect(lines).toMatchObject([{ msg: 'the use of the disk budget could not be measured' }]);
  expect(uses[0]).toEqual(nothing);
});
