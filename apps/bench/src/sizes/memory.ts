/**
 * What each kind of process takes of memory: at rest, at most while one merge deploys two hundred roots whose plans are confirmed all
 * at once, and afterwards. Garbage is collected before each look at rest.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Stack } from '@nereid/local/stack';
import { readOwn } from '../deployments/processes.ts';
import { changeOf, rootFiles, rootNames, SAMPLE, SAMPLE_NAME } from '../deployments/sample-repository.ts';
import { withStack } from '../deployments/with-stack.ts';
import { findKinds, ofKinds, type Kind } from './kinds.ts';
import { ofEach, readStatus, watchMost, type Ids } from './status.ts';
import { usageFileOf, type HeapUsage } from './usage-file.ts';

export interface MemoryBench {
  readonly roots: number;
  readonly kinds: Readonly<Record<Kind, OfKind>>;
}

export interface OfKind {
  readonly atRest: Taken;
  /** MiB. */
  readonly most: number;
  readonly after: Taken;
  /** Seconds that all deployments took. */
  readonly cpuS: number;
}

/** MiB. */
interface Taken {
  readonly all: number;
  /** Programs and libraries, which processes of one machine share. */
  readonly files: number;
  /** JavaScript's heap of the main thread, those of other threads, and buffers. */
  readonly heap: number;
  readonly threads: number;
  readonly buffers: number;
}

const ROOTS = 200;

/** What a start leaves to do is done by then. */
const REST_MS = 30_000;

/** Three times as long as it takes. */
const DEADLINE_MS = 900_000;

/** Between two looks whether a process has collected its garbage. */
const LOOK_MS = 200;

const PRELOAD = fileURLToPath(import.meta.resolve('./preload.ts'));

export function benchMemory(env: NodeJS.ProcessEnv): Promise<MemoryBench> {
  const preloaded = { NODE_OPTIONS: `--import ${PRELOAD}` };
  const environments = { gateway: preloaded, worker: preloaded, 'worker-2': preloaded, console: preloaded };
  return withStack({ env, planReview: 'required', hasHostAlone: true, environments }, async (stack) => {
    const names = rootNames(ROOTS);
    await stack.github.createRepository({
      ...SAMPLE,
      files: rootFiles(names, stack.folders.state),
      collaborators: { alice: 'write' },
    });
    const ids = await findKinds();
    await pause(REST_MS);
    const atRest = await readTaken(stack, ids);
    const cpuBefore = await readCpu(ids);
    const most = await watchMost(ids, () => deployAll(stack, names));
    const cpuAfter = await readCpu(ids);
    await pause(REST_MS);
    const after = await readTaken(stack, ids);
    const cpuS = (kind: Kind) => (cpuAfter[kind] - cpuBefore[kind]) / 1_000;
    return {
      roots: ROOTS,
      kinds: ofKinds((kind) => ({ atRest: atRest[kind], most: most[kind], after: after[kind], cpuS: cpuS(kind) })),
    };
  });
}

/** Presses no Confirm until all plans are there. */
async function deployAll({ github }: Stack, names: readonly string[]): Promise<void> {
  const sha = await github.commit({
    repository: SAMPLE_NAME,
    branch: 'main',
    files: changeOf(names, 1),
    message: 'Change',
    author: 'alice',
  });
  const confirms = () =>
    github.checkRuns(SAMPLE_NAME, sha).flatMap(({ id, actions }) => {
      const confirm = actions.find(({ label }) => label === 'Confirm');
      return confirm === undefined ? [] : [{ id, identifier: confirm.identifier }];
    });
  const isApplied = () =>
    github.checkRuns(SAMPLE_NAME, sha).filter(({ output }) => output.title?.startsWith('Applied')).length;
  const all = (count: () => number) => () => (count() === names.length ? true : undefined);
  await github.waitFor(
    all(() => confirms().length),
    { what: `${names.length} plans`, deadlineMs: DEADLINE_MS },
  );
  for (const { id, identifier } of confirms()) github.pressButton(id, identifier, 'alice');
  await github.waitFor(all(isApplied), { what: `${names.length} roots applied`, deadlineMs: DEADLINE_MS });
}

/** Milliseconds since each began. */
async function readCpu(ids: Ids): Promise<Readonly<Record<Kind, number>>> {
  const own = await readOwn();
  return ofKinds((kind) => own.find(({ id }) => id === ids[kind])?.cpuMs ?? Number.NaN);
}

/** Lets each collect its garbage first. */
function readTaken(stack: Stack, ids: Ids): Promise<Readonly<Record<Kind, Taken>>> {
  return ofEach(ids, async (id) => {
    const file = usageFileOf(stack.folders.top, id);
    const { collected } = await readHeap(file);
    process.kill(id, 'SIGUSR2');
    const deadline = Date.now() + REST_MS;
    for (;;) {
      const { collected: now, ...usage } = await readHeap(file);
      if (now > collected) return { ...(await readStatus(id)), ...usage };
      if (Date.now() > deadline) throw new Error(`expected that process ${id} collects its garbage in ${REST_MS} ms`);
      await pause(LOOK_MS);
    }
  });
}

async function readHeap(file: string): Promise<HeapUsage> {
  return JSON.parse(await readFile(file, 'utf8')) as HeapUsage; // As preload.ts wrote it.
}
