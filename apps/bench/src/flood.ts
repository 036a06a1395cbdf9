/**
 * A flood of everything that a stranger and a hostile repository can send, and what it costs somebody else: the latency of a small
 * deployment without it and while it lasts, in one run, and the memory of Nereid's processes.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { fullName } from '@nereid/domain/root';
import type { Stack } from '@nereid/local/stack';
import { deploy } from './deployments/deploy.ts';
import { readUsage, type OfEach, type Part } from './deployments/processes.ts';
import { changeOf, rootFiles, rootNames, SAMPLE } from './deployments/sample-repository.ts';
import { withStack } from './deployments/with-stack.ts';
import {
  aliasedRoots,
  changeOfRoot,
  firstFiles,
  manyPaths,
  NOISY,
  PRINTS_MUCH,
  VAST,
} from './flood/hostile-repository.ts';
import { keepSilentConnections } from './flood/silent-connections.ts';
import { sendUnfinishedBodies } from './flood/unfinished-bodies.ts';
import { median } from './timing.ts';

export interface FloodBench {
  readonly quiet: Latency;
  readonly flooded: Latency;
  /** MiB: at rest before the flood, at most while it lasts, and ten seconds after it. */
  readonly memory: { readonly before: OfEach; readonly most: OfEach; readonly after: OfEach };
  /** What was sent and read, so that a flood that ran dry is seen. */
  readonly sent: Sent;
}

interface Sent {
  /** Connections with an unfinished body. */
  readonly bodies: number;
  /** Connections with unfinished headers. */
  readonly silent: number;
  /** Of deployments that print much. */
  readonly pages: number;
  /** Check runs that ended, of the repository that prints and of the one that is hard to look through. */
  readonly printed: number;
  readonly lookedThrough: number;
}

/** Medians, milliseconds after the push. */
export interface Latency {
  readonly firstSignMs: number;
  readonly appliedMs: number;
}

const NOISY_NAME = fullName(NOISY);
const VAST_NAME = fullName(VAST);

/** A name that the stack gives to steps with `beforePlan`. */
const STEPS_OF_SAMPLE = 'dns';

const ROUNDS = 7;

/** Between two deployments, so that GitHub's points suffice. */
const PAUSE_MS = 2_000;

/** What hangs, ends the run. */
const DEADLINE_MS = 120_000;

/** Often enough for peaks of a few hundred milliseconds. */
const LOOK_MS = 200;

const REST_MS = 10_000;

export function benchFlood(env: NodeJS.ProcessEnv): Promise<FloodBench> {
  const others = [
    { match: NOISY_NAME, plan_review: 'auto', workflow: STEPS_OF_SAMPLE },
    { match: VAST_NAME, plan_review: 'auto' },
  ];
  return withStack({ env, planReview: 'auto', others, beforePlan: PRINTS_MUCH }, async (stack) => {
    const names = rootNames(1);
    const { state } = stack.folders;
    await stack.github.createRepository({
      ...SAMPLE,
      files: rootFiles(names, state),
      collaborators: { alice: 'write' },
    });
    for (const hostile of [NOISY, VAST])
      await stack.github.createRepository({
        ...hostile,
        files: firstFiles(`${state}/${hostile.name}.tfstate`),
        collaborators: { mallory: 'write' },
      });
    // Makes the mirror and the lane; it is not counted.
    await deployRounds(stack, names, 0, 1);
    const quiet = await deployRounds(stack, names, 1, ROUNDS);
    const { memory: before } = await readUsage();
    const flood = startFlood(stack);
    const flooded = await deployRounds(stack, names, 1 + ROUNDS, ROUNDS);
    const { most, ...sent } = await flood.stop();
    await pause(REST_MS);
    const { memory: after } = await readUsage();
    return { quiet, flooded, memory: { before, most, after }, sent };
  });
}

async function deployRounds(stack: Stack, names: readonly string[], first: number, count: number): Promise<Latency> {
  const rounds = [];
  for (let round = first; round < first + count; round += 1) {
    rounds.push(await deploy(stack, names.length, changeOf(names, round), DEADLINE_MS));
    await pause(PAUSE_MS);
  }
  return {
    firstSignMs: median(rounds.map(({ firstSignMs }) => firstSignMs)),
    appliedMs: median(rounds.map(({ shownMs }) => shownMs)),
  };
}

function startFlood(stack: Stack): { stop(): Promise<Sent & { readonly most: OfEach }> } {
  const ending = new AbortController();
  const { signal } = ending;
  const parts = [
    sendUnfinishedBodies(stack.urls.webhooks, signal),
    keepSilentConnections(stack.urls.webhooks, signal),
    readPages(stack, signal),
    watchMemory(signal),
    pushAll(stack, signal),
  ] as const;
  return {
    async stop() {
      ending.abort();
      const [bodies, silent, pages, most] = await Promise.all(parts);
      const ended = (name: string) =>
        stack.github.checkRuns(name).filter(({ status }) => status === 'completed').length;
      return { bodies, silent, pages, most, printed: ended(NOISY_NAME), lookedThrough: ended(VAST_NAME) };
    },
  };
}

/** The three pushes in turn. */
async function pushAll({ github }: Stack, signal: AbortSignal): Promise<void> {
  const commit = { branch: 'main', message: 'Flood', author: 'mallory' };
  for (let round = 1; !signal.aborted; round += 1) {
    await github.commit({ ...commit, repository: NOISY_NAME, files: changeOfRoot(round) });
    for (const files of [aliasedRoots(round), manyPaths(round)]) {
      await github.commit({ ...commit, repository: VAST_NAME, files });
      await pause(PAUSE_MS);
    }
  }
}

/** Reads the page of each of its deployments again and again. Resolves to how many were read. */
async function readPages({ github }: Stack, signal: AbortSignal): Promise<number> {
  let pages = 0;
  while (!signal.aborted) {
    for (const { detailsUrl } of github.checkRuns(NOISY_NAME)) {
      if (detailsUrl === null) continue;
      const response = await fetch(detailsUrl, { signal: AbortSignal.timeout(DEADLINE_MS) });
      await response.arrayBuffer();
      pages += 1;
    }
    await pause(LOOK_MS);
  }
  return pages;
}

async function watchMemory(signal: AbortSignal): Promise<OfEach> {
  let { memory: most } = await readUsage();
  while (!signal.aborted) {
    const { memory } = await readUsage();
    const parts = Object.entries(most).map(([part, found]) => [part, Math.max(found, memory[part as Part])]);
    most = Object.fromEntries(parts) as OfEach; // All of them.
    await pause(LOOK_MS);
  }
  return most;
}
