import { beforeEach, describe, expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { pino } from 'pino';
import { aLeftOverApply } from '../testing/a-left-over-apply.ts';
import { createCleanUps, type CleanUpTools } from './clean-ups.ts';

/** What happened, in order. */
let events: string[];
const workDir = folderOfEachTest();

beforeEach(() => {
  events = [];
});

describe('a clean-up', () => {
  test('gives the tree back, once for all who ask meanwhile', async () => {
    const release = Promise.withResolvers<undefined>();
    const cleanUps = createCleanUps(toolsWith({ release: () => release.promise }));

    const both = Promise.all([cleanUps.cleanUp('d1'), cleanUps.cleanUp('d1')]);
    await until('released d1');
    release.resolve(undefined);
    await both;

    expect(events).toEqual(['released d1']);
  });

  test('may be asked for again', async () => {
    const cleanUps = createCleanUps(toolsWith({}));

    await cleanUps.cleanUp('d1');
    await cleanUps.cleanUp('d1');

    expect(events).toEqual(['released d1', 'released d1']);
  });

  test('is refused, retryably, under work of its deployment', async () => {
    const cleanUps = createCleanUps(toolsWith({}));
    const work = Promise.withResolvers<undefined>();
    const working = cleanUps.keptFrom('d1', () => work.promise);

    await expect(cleanUps.cleanUp('d1')).rejects.toMatchObject({ type: 'STILL_RUNNING', nonRetryable: false });
    await cleanUps.cleanUp('d2');

    expect(events).toEqual(['released d2']);
    work.resolve(undefined);
    await working;
    await cleanUps.cleanUp('d1');
    expect(events).toEqual(['released d2', 'released d1']);
  });

  test('is refused under a command of its deployment that lives', async () => {
    const cleanUps = createCleanUps(toolsWith({}));
    const apply = await aLeftOverApply(workDir);

    await expect(cleanUps.cleanUp(apply.deploymentId)).rejects.toMatchObject({ type: 'STILL_RUNNING' });

    await apply.stop();
    expect(events).toEqual([]);
  });
});

test('work of a deployment begins after a clean-up of it that runs', async () => {
  const release = Promise.withResolvers<undefined>();
  const cleanUps = createCleanUps(toolsWith({ release: () => release.promise }));

  const cleaned = cleanUps.cleanUp('d1').then(() => events.push('cleaned up'));
  const worked = cleanUps.keptFrom('d1', async () => events.push('worked'));
  release.resolve(undefined);
  await Promise.all([cleaned, worked]);

  expect(events).toEqual(['released d1', 'cleaned up', 'worked']);
});

describe('a clean-up behind the back of its caller', () => {
  test('begins when its caller has answered', async () => {
    const cleanUps = createCleanUps(toolsWith({}));

    const answered = cleanUps
      .keptFrom('d1', async () => 'an answer')
      .then(() => cleanUps.cleanUpAfterwards('d1', { keptBy: 'd1' }))
      .then(() => events.push('answered'));
    await answered;
    await cleanUps.settled();

    expect(events).toEqual(['answered', 'removed d1', 'released d1']);
  });

  test('is reported when it fails, and removes the kept plan all the same', async () => {
    const cleanUps = createCleanUps(toolsWith({ release: () => Promise.reject(new Error('disk full')) }));

    cleanUps.cleanUpAfterwards('d1', { keptBy: 'd1' });
    await cleanUps.settled();

    expect(events).toEqual([
      'removed d1',
      'released d1',
      expect.stringMatching(/"deployment":"d1".*could not be cleaned/),
    ]);
  });
});

function toolsWith({ release = async () => undefined }: { release?: () => Promise<undefined> }): CleanUpTools {
  return {
    memory: new Map(),
    context: {
      config: { workDir },
      logger: pino({}, { write: (line) => events.push(line) }),
      mirrors: {
        async release(deploymentId) {
          events.push(`released ${deploymentId}`);
          await release();
          return 'done';
        },
      },
      keptPlans: {
        async remove(deploymentId) {
          events.push(`removed ${deploymentId}`);
        },
      },
    },
  };
}

/** What is waited for takes a few turns of the event loop; only what hangs takes minutes. */
const DEADLINE_MS = 120_000;

async function until(event: string): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!events.includes(event)) {
    if (performance.now() > deadline)
      throw new Error(`waited ${DEADLINE_MS} ms in vain for "${event}", found ${JSON.stringify(events)}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
