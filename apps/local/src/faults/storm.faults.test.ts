import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { UNSEALED } from '@nereid/process';
import { replayHistories } from '@nereid/test-kit/replay';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRandom } from '../random.ts';
import { makeFolders } from '../stack/folders.ts';
import type { Stack } from '../stack/stack.ts';
import { startTemporaryStack } from '../stack/testing/temporary-stack.ts';
import { createActors } from './storm/actors.ts';
import { findingsOf } from './storm/findings.ts';
import { createGateKeeper, firstClosed, windowsOf } from './storm/gate-keeper.ts';
import { reportOf } from './storm/storm-report.ts';
import { runStorm } from './storm/run-storm.ts';
import { createStormRepository, type StormRepository } from './storm/storm-repository.ts';
import { killMachine } from './kill-machine.ts';

/**
 * Long enough for two cores to bring everything to its end afterwards, even when a host died that had permission to apply: the lease of
 * its budget lapses after a quarter of an hour, and who waits for it asks every ten minutes at first.
 */
const CALM_MS = 30 * 60_000;

/** What GitHub gives a large company: the storm does the work of hours in minutes. */
const REQUESTS_PER_HOUR = 15_000;

/** `STORM_KILLS=no`: the same without kills, to compare how fast it goes. */
const { SEED, STORM_PUSHES = '400', STORM_LANES = '40', STORM_SECONDS = '120', STORM_KILLS = 'yes' } = process.env;
const seed = Number(SEED ?? Math.floor(Math.random() * 2 ** 32));

// A machine with other work pushes slowly.
jest.setTimeout(CALM_MS + 3 * Number(STORM_SECONDS) * 1_000 + 120_000);

let repository: StormRepository;
let stack: Stack;

beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'nereid-storm-'));
  repository = createStormRepository((await makeFolders(folder)).state, Number(STORM_LANES));
  stack = await startTemporaryStack({
    folder,
    restarts: 60,
    hasSecondWorker: true,
    githubRequestsPerHour: REQUESTS_PER_HOUR,
    repositories: [repository.policy],
    windows: windowsOf(firstClosed(repository)),
    ...repository.limits,
  });
  await repository.create(stack.github);
});

afterAll(async () => {
  await stack[Symbol.asyncDispose]();
});

test('a storm of merges, late reviews, closed gates and kills loses nothing, doubles nothing, and passes no gate', async () => {
  const actors = createActors({
    stack,
    repository,
    random: createRandom(seed),
    killEveryMs: STORM_KILLS === 'no' ? undefined : 2_000,
    killMachine: () => killMachine(stack),
    hasLargeMerges: true,
  });
  const runs = runStorm({
    stack,
    repository,
    actors,
    gates: createGateKeeper(stack, repository, createRandom(seed + 1)),
    pushes: Number(STORM_PUSHES),
    stormMs: Number(STORM_SECONDS) * 1_000,
    deadlineMs: CALM_MS,
    report: (line) => process.stdout.write(`  ${line}\n`),
  });
  const storm = await Promise.race([runs, stack.broken]);
  const findings = findingsOf(storm.facts);
  process.stdout.write(`\nA storm (SEED=${seed} repeats it):\n${reportOf(storm, findings, seed)}\n`);

  expect(Object.entries(findings).filter(([, broken]) => broken.length > 0)).toEqual([]);
  expect(storm.leftProcesses).toEqual([]);
  expect(storm.longestHistory).toBeLessThan(10_000);
  // A lane that would stand still after the next restart shows here, too.
  expect((await replayHistories(stack.temporalAddress, UNSEALED)).failures).toEqual([]);
});
