/**
 * Three gateways, two control workers, three hosts and two consoles, all of which are restarted in turn, as an upgrade does,
 * while merges and presses come in.
 */
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
import type { ProcessName } from '../stack/start-apps.ts';
import { findingsOf } from './storm/findings.ts';
import { onceFindingsOf } from './storm/once-findings.ts';
import { createOrderlyActors } from './storm/orderly-actors.ts';
import { runStorm } from './storm/run-storm.ts';
import { reportOf } from './storm/storm-report.ts';
import { createStormRepository, type StormRepository } from './storm/storm-repository.ts';

/** Long enough for two cores to bring everything to its end afterwards. */
const CALM_MS = 15 * 60_000;

const { SEED, SEVERAL_PUSHES = '60', SEVERAL_LANES = '12', SEVERAL_SECONDS = '120' } = process.env;
const seed = Number(SEED ?? Math.floor(Math.random() * 2 ** 32));
const stormMs = Number(SEVERAL_SECONDS) * 1_000;

/** Alternately of each kind, so that no two of a kind follow each other. */
const PROCESSES: readonly ProcessName[] = [
  ...(['gateway', 'worker', 'worker-2', 'console'] as const),
  ...(['gateway-2', 'control-2', 'host-2', 'console-2'] as const),
  ...(['gateway-3', 'host-3'] as const),
];

jest.setTimeout(CALM_MS + 5 * stormMs + 240_000);

let repository: StormRepository;
let stack: Stack;

beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'nereid-several-'));
  repository = createStormRepository((await makeFolders(folder)).state, Number(SEVERAL_LANES));
  stack = await startTemporaryStack({
    folder,
    restarts: 30,
    hasSeveral: true,
    repositories: [repository.policy],
  });
  await repository.create(stack.github);
});

afterAll(async () => {
  await stack[Symbol.asyncDispose]();
});

test('a rolling restart of several of everything under a storm of merges loses nothing and no approval', async () => {
  const actors = createOrderlyActors({ stack, repository, random: createRandom(seed), processes: PROCESSES });
  const runs = runStorm({
    stack,
    repository,
    actors,
    pushes: Number(SEVERAL_PUSHES),
    stormMs,
    deadlineMs: CALM_MS,
    report: (line) => process.stdout.write(`  ${line}\n`),
  });
  const storm = await Promise.race([runs, stack.broken]);
  const findings = { ...findingsOf(storm.facts), ...onceFindingsOf(storm.facts, actors.confirmedBy) };
  process.stdout.write(`\nA rolling restart (SEED=${seed} repeats it):\n${reportOf(storm, findings, seed)}\n`);

  expect(Object.entries(findings).filter(([, broken]) => broken.length > 0)).toEqual([]);
  expect(new Set(actors.confirmedBy.values()).size).toBe(2);
  expect(storm.disturbed).toEqual(expect.arrayContaining([...PROCESSES]));
  expect(storm.leftProcesses).toEqual([]);
  expect((await replayHistories(stack.temporalAddress, UNSEALED)).failures).toEqual([]);
});
