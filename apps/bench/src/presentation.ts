/**
 * Measures how long check runs take to become up to date once GitHub is back, within the documented limits: for a hundred
 * lanes that all have something to say, and for one lane in which a hundred deployments wait. Each request about check runs
 * takes as long as it does on GitHub.
 */
import { mkdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { laneWorkflowId, type LaneView } from '@nereid/domain/lane';
import { MESSAGE } from '@nereid/domain/temporal-names';
import type { Stack } from '@nereid/local/stack';
import { UNSEALED } from '@nereid/process';
import { Client, Connection } from '@temporalio/client';
import { changeOf, rootFiles, rootNames, SAMPLE, SAMPLE_NAME } from './deployments/sample-repository.ts';
import { withStack } from './deployments/with-stack.ts';
import { timed } from './timing.ts';

export interface PresentationBench {
  readonly what: string;
  /** From GitHub's return until the last check run is up to date. */
  readonly ms: number;
  readonly requests: number;
  /** In GitHub's points: a read costs one, a write five. */
  readonly points: number;
  readonly mostAtOnce: number;
}

const CHECK_RUNS = 100;

/** How long GitHub takes to write a check run. */
const GITHUB_MS = 300;

/** For a hundred plans, and for the lanes' longest waits afterwards. */
const DEADLINE_MS = 600_000;

const POLL_MS = 500;

const ROUTE = /check-runs/;

export function benchPresentation(env: NodeJS.ProcessEnv): Promise<readonly PresentationBench[]> {
  return withStack({ env, planReview: 'required' }, async (stack) => {
    const connection = await Connection.connect({ address: stack.temporalAddress });
    try {
      return await measure(stack, new Client({ connection, dataConverter: UNSEALED }), stack.folders.state);
    } finally {
      await connection.close();
    }
  });
}

async function measure({ github }: Stack, temporal: Client, states: string): Promise<readonly PresentationBench[]> {
  const names = rootNames(CHECK_RUNS);
  await mkdir(states);
  await github.createRepository({
    ...SAMPLE,
    files: rootFiles(names, states),
    collaborators: { alice: 'write' },
  });
  const push = (roots: readonly string[], round: number) =>
    github.commit({
      repository: SAMPLE_NAME,
      branch: 'main',
      files: changeOf(roots, round),
      message: `Change ${round}`,
      author: 'alice',
    });
  const laneOf = (name: string) =>
    temporal.workflow
      .getHandle(laneWorkflowId(SAMPLE, name))
      .query<LaneView>(MESSAGE.lane)
      .catch(() => undefined);
  const titled = (title: RegExp) =>
    github.checkRuns(SAMPLE_NAME).filter(({ output }) => title.test(output.title ?? ''));

  const lanes = await comeBack(github, `${CHECK_RUNS} lanes, a plan to review in each`, {
    async goOn() {
      await push(names, 1);
      await until('the plans', async () => {
        const views = await Promise.all(names.map(laneOf));
        return views.every((view) => view?.running?.progress.status === 'awaiting-review');
      });
    },
    isTrue: () => titled(/^Plan: /).length === CHECK_RUNS,
  });
  const [name = ''] = names;
  const queue = await comeBack(github, `one lane, ${CHECK_RUNS} deployments waiting in it`, {
    async goOn() {
      for (let round = 2; round < CHECK_RUNS + 2; round += 1) await push([name], round);
      await until('the queue', async () => (await laneOf(name))?.waiting.length === CHECK_RUNS);
    },
    isTrue: () => new Set(titled(/^Queued/).map(({ externalId }) => externalId)).size === CHECK_RUNS,
  });
  return [lanes, queue];
}

/** Lets work go on while GitHub's check runs fail, and measures from GitHub's return. */
async function comeBack(
  github: Stack['github'],
  what: string,
  { goOn, isTrue }: { readonly goOn: () => Promise<void>; readonly isTrue: () => boolean },
): Promise<PresentationBench> {
  const comesBack = github.faults.add({ kind: 'failure', status: 502, route: ROUTE });
  await goOn();
  comesBack();
  const isQuick = github.faults.add({ kind: 'slow', ms: GITHUB_MS, route: ROUTE });
  github.resetTraffic();
  const [ms] = await timed(() => github.waitFor(() => isTrue() || undefined, { what, deadlineMs: DEADLINE_MS }));
  const asked = github.requestCounts().filter(({ route }) => route.includes('check-runs'));
  isQuick();
  return {
    what,
    ms,
    requests: asked.reduce((sum, { count }) => sum + count, 0),
    points: asked.reduce((sum, { route, count }) => sum + count * (route.startsWith('GET') ? 1 : 5), 0),
    mostAtOnce: github.mostRequestsAtOnce(),
  };
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`expected ${what} within ${DEADLINE_MS} ms, did not find them`);
    await pause(POLL_MS);
  }
}
