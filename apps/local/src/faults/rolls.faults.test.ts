/**
 * Two builds of the workflows side by side, as in an upgrade: the product's, and a newer one with one more step. Under a storm, the
 * newer one becomes current, then the older one, and then the newer one again.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { UNSEALED } from '@nereid/process';
import { bundleWorkflows } from '@nereid/test-kit/bundle-workflows';
import { installQuietRuntime } from '@nereid/test-kit/quiet-runtime';
import { replay } from '@nereid/test-kit/replay';
import { workflowVersion } from '@nereid/worker/workflow-version';
import { readRelease } from '@nereid/worker/release';
import { createRandom } from '../random.ts';
import { makeFolders } from '../stack/folders.ts';
import { SECOND_WORKER } from '../stack/processes.ts';
import { startStack, type Stack } from '../stack/stack.ts';
import { killMachine } from './kill-machine.ts';
import { createOpenReviews } from './rolls/open-reviews.ts';
import { roll, type Rolled } from './rolls/roll.ts';
import { openRouting, type Routing } from './rolls/routing.ts';
import { createActors, type Actors } from './storm/actors.ts';
import { findingsOf } from './storm/findings.ts';
import { runStorm } from './storm/run-storm.ts';
import { reportOf } from './storm/storm-report.ts';
import { createStormRepository, type StormRepository } from './storm/storm-repository.ts';

const NEWER = fileURLToPath(new URL('../../../../workflows/src/terraform/fixtures/newer-build.ts', import.meta.url));

/** Long enough for two cores to bring everything to its end afterwards. */
const CALM_MS = 15 * 60_000;

const { SEED, ROLLS_PUSHES = '60', ROLLS_LANES = '12', ROLLS_SECONDS = '60' } = process.env;
const seed = Number(SEED ?? Math.floor(Math.random() * 2 ** 32));
const stormMs = Number(ROLLS_SECONDS) * 1_000;

/** So that something runs between two kills: until a killed worker is back, its build has none. */
const KILL_EVERY_MS = 5_000;

/** At each turn of the roll: some of them began in the older build. */
const OPEN_REVIEWS = 3;

jest.setTimeout(CALM_MS + 5 * stormMs + 240_000);

let folder: string;
let repository: StormRepository;
let stack: Stack;
let routing: Routing;
let older: Build;
let newer: Build;

interface Build {
  /** The path of its file. */
  readonly codePath: string;
  readonly buildId: string;
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'nereid-rolls-'));
  repository = createStormRepository((await makeFolders(folder)).state, Number(ROLLS_LANES));
  const newerBundle = path.join(folder, 'newer.js');
  await writeFile(newerBundle, await bundleWorkflows(NEWER));
  stack = await startStack({
    env: process.env,
    folder,
    ports: 'free',
    storage: 'folder',
    report: () => undefined,
    restarts: 60,
    hasSecondWorker: true,
    workflowBundles: { [SECOND_WORKER]: newerBundle },
    repositories: [repository.policy],
  });
  await repository.create(stack.github);
  older = await buildOf(path.join(folder, 'workflows.js'));
  newer = await buildOf(newerBundle);
  routing = await openRouting(stack.temporalAddress);
  await routing.begin(older.buildId, newer.buildId);
});

afterAll(async () => {
  await routing[Symbol.asyncDispose]();
  await stack[Symbol.asyncDispose]();
  if (process.env['KEEP'] === undefined) await rm(folder, { recursive: true, force: true });
});

test('a release that is rolled forth and back under a storm loses nothing, doubles nothing, and keeps what only it replays', async () => {
  const { actors, rolling } = startRolling();
  const runs = runStorm({
    ...{ stack, repository, actors, stormMs, deadlineMs: CALM_MS },
    pushes: Number(ROLLS_PUSHES),
    report,
  });
  const [storm, rolled] = await Promise.race([Promise.all([runs, rolling]), stack.broken]);
  const findings = findingsOf(storm.facts);
  process.stdout.write(`\nA roll (SEED=${seed} repeats it):\n${reportOf(storm, findings, seed)}\n`);
  const { openForth, bound, missed, listedLate } = rolled;
  const ways = await routing.ways();

  // Nothing is stuck, and nothing was applied twice.
  expect(Object.entries(findings).filter(([, broken]) => broken.length > 0)).toEqual([]);
  expect(storm.leftProcesses).toEqual([]);
  // Reviews that were opened in the older build were answered in the newer one.
  for (const id of openForth) expect(ways.get(id)?.builds.slice(0, 2)).toEqual([older.buildId, newer.buildId]);
  // What was past the step did not go back, and what was not did.
  for (const id of bound) expect(ways.get(id)).toEqual({ builds: [newer.buildId], wrongTurns: 0 });
  const forthAndBack = [older.buildId, newer.buildId, older.buildId];
  expect([...ways.values()].map(({ builds }) => builds.slice(0, 3))).toContainEqual(forthAndBack);
  // What was not bound in time was listed afterwards, and ended in the newer build as well.
  expect(listedLate).toContain(missed);
  for (const id of listedLate) expect(ways.get(id)?.builds).toEqual([newer.buildId]);

  const pastTheStep = await expectAllToReplay();
  expect(pastTheStep).toEqual(expect.arrayContaining([...bound, ...listedLate]));
  // Only workflows that are past the step ever failed a task for it.
  const misled = [...ways].filter(([, { wrongTurns }]) => wrongTurns > 0).map(([id]) => id);
  expect(misled.filter((id) => !pastTheStep.includes(id))).toEqual([]);
});

/** Rolls the release while the actors of the storm act. */
function startRolling(): { readonly actors: Actors; readonly rolling: Promise<Rolled> } {
  const reviews = createOpenReviews(OPEN_REVIEWS);
  const actors = createActors({
    ...{ stack, repository, random: createRandom(seed), killEveryMs: KILL_EVERY_MS },
    killMachine: () => killMachine(stack),
    leavesOpen: (run) => reviews.leavesOpen(run),
  });
  const builds = { older: older.buildId, newer: newer.buildId, olderBundle: older.codePath };
  return { actors, rolling: roll({ ...builds, routing, reviews, temporalAddress: stack.temporalAddress, report }) };
}

/** With the newer build; with the older one, all but those that took the step, whose ids it returns. */
async function expectAllToReplay(): Promise<readonly string[]> {
  // The older build is to fail.
  installQuietRuntime({ showsErrors: false });
  const histories = { address: stack.temporalAddress, dataConverter: UNSEALED };
  const [byNewer, byOlder] = [
    await replay(histories, { codePath: newer.codePath }),
    await replay(histories, { codePath: older.codePath }),
  ];

  expect(byNewer.failures).toEqual([]);
  expect(byOlder.failures.filter((failure) => !failure.includes('one-more-step'))).toEqual([]);
  return byOlder.failures.map((failure) => failure.slice(0, failure.indexOf(':')));
}

async function buildOf(codePath: string): Promise<Build> {
  const { buildId } = await workflowVersion({ codePath }, readRelease());
  return { codePath, buildId };
}

function report(line: string): void {
  process.stdout.write(`  ${line}\n`);
}
