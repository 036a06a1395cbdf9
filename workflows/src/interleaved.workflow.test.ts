import { beforeAll, describe, expect, test } from '@jest/globals';
import { recordAlone, runInterleaved, type Tape } from '@nereid/test-kit/interleave';
import { readRecordedHistories } from '@nereid/test-kit/recorded-histories';
import { bundleOfThisRun } from '@nereid/test-kit/test-run';
import path from 'node:path';

const histories = await readRecordedHistories(path.join(import.meta.dirname, '../histories/unreleased'));

let tapes: readonly Tape[];

beforeAll(async () => {
  const recorded: Tape[] = [];
  for (const history of histories) recorded.push(await recordAlone(history, bundleOfThisRun()));
  tapes = recorded;
});

describe('workflows that share a context decide as each of them does alone:', () => {
  test('two of one kind, step by step in turn', async () => {
    for (const kind of ['deploy', 'terraform', 'intake']) {
      const [first, second] = tapes.filter(({ name }) => name.startsWith(`${kind}-`));

      expect(await runInterleaved([first, second].filter((tape) => tape !== undefined))).toEqual([]);
    }
  });

  test('the same one twice', async () => {
    for (const tape of tapes) expect(await runInterleaved([tape, tape])).toEqual([]);
  });

  test('all of them, step by step in turn', async () => {
    expect(tapes.length).toBeGreaterThan(12);
    expect(await runInterleaved(tapes)).toEqual([]);
  });
});
