import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { ApplyOutcome } from '@nereid/domain/deployment';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { pino } from 'pino';
import { createOutcomes } from './outcomes.ts';

const APPLIED: ApplyOutcome = { kind: 'applied', counts: { added: 1, changed: 0, destroyed: 0, imported: 0 } };
const DAY_MS = 24 * 60 * 60_000;

const dir = folderOfEachTest();

test('what was kept is found for a day', async () => {
  const outcomes = createOutcomes(join(dir, 'outcomes'), pino({ level: 'silent' }));
  await outcomes.keep('job-1', APPLIED);

  await outcomes.tidy(Date.now() + DAY_MS - 60_000);
  expect(await outcomes.find('job-1')).toEqual(APPLIED);

  await outcomes.tidy(Date.now() + DAY_MS + 60_000);
  expect(await outcomes.find('job-1')).toBeUndefined();
});

test('one that is cut off is as if there were none', async () => {
  const outcomes = createOutcomes(dir, pino({ level: 'silent' }));
  await writeFile(join(dir, 'job-1.json'), '{"kind":');

  expect(await outcomes.find('job-1')).toBeUndefined();
});

test('an apply is over, also where its outcome cannot be kept', async () => {
  await writeFile(join(dir, 'outcomes'), 'no folder');
  const outcomes = createOutcomes(join(dir, 'outcomes'), pino({ level: 'silent' }));

  await expect(outcomes.keep('job-1', APPLIED)).resolves.toBeUndefined();
});
