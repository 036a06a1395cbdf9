import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { pino } from 'pino';
import { testSignatures } from '../../testing/test-signatures.ts';
import { createJanitor } from './janitor.ts';
import type { EndedDeployments } from '../outcome/ended-deployments.ts';

/** Three rounds' work. */
const FOLDERS = 600;
const ROUNDS = 3;

const workDir = folderOfEachTest();

test('many folders that have to stay do not keep the others from being removed', async () => {
  const ids = await someFolders();
  const [running, over] = [new Set(ids.slice(0, FOLDERS / 2)), ids.slice(FOLDERS / 2)];
  const asked: string[] = [];
  const janitor = aJanitor();
  const ended = endedBut((id) => running.has(id), asked);

  const cleaned = [];
  for (let round = 0; round < ROUNDS; round += 1) cleaned.push(...(await janitor.tidy(ended)));

  expect(cleaned.toSorted()).toEqual(over);
  expect(asked.toSorted()).toEqual(ids);
});

test('after the last folder it begins with the first again', async () => {
  const ids = await someFolders();
  const asked: string[] = [];
  const janitor = aJanitor();
  const ended = endedBut(() => true, asked);

  for (let round = 0; round < 2 * ROUNDS; round += 1) await janitor.tidy(ended);

  expect(asked).toEqual([...ids, ...ids]);
});

/** In order. */
async function someFolders(): Promise<readonly string[]> {
  const ids = Array.from({ length: FOLDERS }, () => randomUUID()).toSorted();
  await Promise.all(ids.map((id) => mkdir(join(workDir, id))));
  return ids;
}

function aJanitor() {
  const nothing = () => Promise.resolve();
  const store = { remove: nothing };
  return createJanitor({
    context: {
      config: { workDir },
      logger: pino({ level: 'silent' }),
      hostId: 'h1',
      signatures: testSignatures,
      keptPlans: store,
      mirrors: { borrowerOf: () => Promise.resolve(undefined) },
    },
    cleanUps: { cleanUp: (id) => rm(join(workDir, id), { recursive: true }) },
    inspect: () => Promise.reject(new Error('nothing is unknown')),
  });
}

function endedBut(isRunning: (id: string) => boolean, asked: string[]): EndedDeployments {
  return {
    isOver(id) {
      asked.push(id);
      return Promise.resolve(!isRunning(id));
    },
    findUnknownApply: () => Promise.resolve(undefined),
    report: () => Promise.reject(new Error('nobody is to be told')),
  };
}
