import { beforeAll, describe, expect, test } from '@jest/globals';
import { recordAlone, runInterleaved, type Tapes } from '@nereid/test-kit/interleave';
import { readRecordedHistories } from '@nereid/test-kit/recorded-histories';
import { bundleOfThisRun } from '@nereid/test-kit/test-run';
import path from 'node:path';

const histories = await readRecordedHistories(path.join(import.meta.dirname, '../histories/unreleased'));

/** Each history has a context of its own: fifteen seconds of computing. */
const HANGS_AFTER_MS = 600_000;

let tapes: Tapes;

beforeAll(async () => {
  tapes = await recordAlone(histories, bundleOfThisRun());
}, HANGS_AFTER_MS);

describe('workflows that share a context decide as each of them does alone:', () => {
  test.each(['deploy', 'terraform', 'intake'])('two of one kind, step by step in turn: %s', async (kind) => {
    const two = tapes.all.filter(({ name }) => name.startsWith(`${kind}-`)).slice(0, 2);

    expect(two).toHaveLength(2);
    expect(await runInterleaved(tapes.creation, two)).toEqual([]);
  });

  test('all of them, each twice, step by step in turn', async () => {
    const twice = tapes.all.flatMap((tape) => [tape, tape]);

    expect(tapes.all.length).toBeGreaterThan(12);
    expect(await runInterleaved(tapes.creation, twice)).toEqual([]);
  });
});
