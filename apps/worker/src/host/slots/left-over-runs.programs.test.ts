import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { pino } from 'pino';
import { aLeftOverApply } from '../testing/a-left-over-apply.ts';
import { countLeftOverRuns } from './left-over-runs.ts';
import { createSlots } from './slots.ts';

const workDir = folderOfEachTest();

test('an apply that outlived its worker takes a slot until it ends', async () => {
  const apply = await aLeftOverApply(workDir);
  const slots = createSlots(() => 1);

  await countLeftOverRuns(runsOf(slots));
  expect(slots.usage().used).toBe(1);
  const next = slots.begin('d2', { signal: AbortSignal.timeout(LONG_MS) });
  // Whoever asks what became of it works on the same slot.
  slots.countRunning(apply.deploymentId)();
  expect(slots.usage().used).toBe(1);

  await apply.stop();
  expect(await next).toBeDefined();
});

test('what another host left running takes none of our slots', async () => {
  const apply = await aLeftOverApply(workDir);
  const slots = createSlots(() => 1);

  await countLeftOverRuns({ ...runsOf(slots), mirrors: { isOwn: () => Promise.resolve(false) } });

  expect(slots.usage().used).toBe(0);
  await apply.stop();
});

test('a deployment of which nothing runs takes no slot, and neither does one that cannot be read', async () => {
  const apply = await aLeftOverApply(workDir);
  await apply.stop();
  const unreadable = randomUUID();
  await mkdir(join(workDir, unreadable));
  const slots = createSlots(() => 1);
  const isOwn = (id: string) =>
    id === apply.deploymentId ? Promise.resolve(true) : Promise.reject(new Error('sick disk'));

  await countLeftOverRuns({ ...runsOf(slots), mirrors: { isOwn } });

  expect(slots.usage().used).toBe(0);
});

test('a worker without a work folder has nothing left over', async () => {
  const slots = createSlots(() => 1);

  await countLeftOverRuns({ ...runsOf(slots), workDir: join(workDir, 'none') });

  expect(slots.usage().used).toBe(0);
});

/** Far more than a test takes, also on a loaded machine. */
const LONG_MS = 120_000;

function runsOf(slots: ReturnType<typeof createSlots>) {
  const mirrors = { isOwn: () => Promise.resolve(true) };
  return { slots, workDir, mirrors, logger: pino({ level: 'silent' }), everyMs: 1 };
}
