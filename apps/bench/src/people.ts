/**
 * Two hundred people look at what needs a person, while a merge deploys four hundred roots: what that costs the console, and how
 * soon their pages know of an apply. Each page follows the stream, and asks for its state again when something has changed, as the
 * script of the page does.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LaneEvent } from '@nereid/api';
import type { Stack } from '@nereid/local/stack';
import { deploy } from './deployments/deploy.ts';
import { readUsage } from './deployments/processes.ts';
import { changeOf, rootFiles, rootNames, SAMPLE } from './deployments/sample-repository.ts';
import { withStack } from './deployments/with-stack.ts';
import { openStream } from './people/open-stream.ts';
import { median, timed } from './timing.ts';

export interface PeopleBench {
  readonly people: number;
  readonly roots: number;
  /** Milliseconds of the console's CPU time, and of the whole run. */
  readonly cpuMs: number;
  readonly ms: number;
  /** MiB of the console, before and at most. */
  readonly memory: { readonly before: number; readonly most: number };
  /** How often pages asked for their state again. */
  readonly asked: number;
  /** Milliseconds from the state file of a root to the event that says so: median and the longest. */
  readonly delay: { readonly medianMs: number; readonly mostMs: number };
}

const PEOPLE = 200;
const ROOTS = 400;

/** Three times as long as it takes. */
const DEADLINE_MS = 1_800_000;

/** The check run of the last root can say *Applied* before the console's next look at storage. */
const TOLD_WITHIN_MS = 60_000;

const SAMPLE_EVERY_MS = 500;

export function benchPeople(env: NodeJS.ProcessEnv): Promise<PeopleBench> {
  return withStack({ env, planReview: 'auto' }, async (stack) => {
    const names = rootNames(ROOTS);
    const states = stack.folders.state;
    await stack.github.createRepository({ ...SAMPLE, files: rootFiles(names, states), collaborators: {} });
    const before = await readUsage();
    await using pages = openPages(stack);
    using watch = watchMemory();
    const [ms] = await timed(() => deploy(stack, ROOTS, changeOf(names, 1), DEADLINE_MS));
    const after = await readUsage();
    await stack.github.waitFor(() => (pages.toldAt.size === ROOTS ? true : undefined), {
      what: `${ROOTS} roots told of as applied`,
      deadlineMs: TOLD_WITHIN_MS,
    });
    const applied = await Promise.all(names.map(async (name) => (await stat(join(states, `${name}.tfstate`))).mtimeMs));
    const delays = names.map((name, index) => (pages.toldAt.get(name) ?? NaN) - (applied[index] ?? NaN));
    return {
      people: PEOPLE,
      roots: ROOTS,
      cpuMs: after.cpuMs.console - before.cpuMs.console,
      ms,
      memory: { before: before.memory.console, most: watch.most() },
      asked: pages.asked(),
      delay: { medianMs: median(delays), mostMs: Math.max(...delays) },
    };
  });
}

interface Pages extends AsyncDisposable {
  /** When an event first said that a root was applied, in milliseconds since 1970. */
  readonly toldAt: ReadonlyMap<string, number>;
  asked(): number;
}

/** One more stream tells what changed, with which the delay is measured. */
function openPages({ urls }: Stack): Pages {
  const gone = new AbortController();
  const toldAt = new Map<string, number>();
  let asked = 0;
  const events = `${urls.console}/api/v1/events?kinds=lane`;
  const onLane = ({ rootName, lane }: LaneEvent) => {
    const isApplied = lane?.deployed?.status === 'succeeded';
    if (isApplied && !toldAt.has(rootName)) toldAt.set(rootName, Date.now());
  };
  const streams = [openStream(events, gone.signal, (name, data) => name === 'lane' && onLane(data as LaneEvent))]; // As the API says.
  for (let person = 0; person < PEOPLE; person += 1) {
    const page = followPage(async () => {
      asked += 1;
      await (await fetch(`${urls.console}/attention/fragment`, { signal: gone.signal })).text();
    });
    streams.push(openStream(`${events}&brief=yes`, gone.signal, (name) => name !== 'alive' && page()));
  }
  return {
    toldAt,
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      gone.abort();
      await Promise.allSettled(streams);
    },
  };
}

/** One request at a time: what changes meanwhile is in the next one. */
function followPage(ask: () => Promise<void>): () => void {
  let asking = false;
  let isStale = false;
  const update = async () => {
    while (isStale) {
      isStale = false;
      await ask().catch(() => undefined);
    }
    asking = false;
  };
  return () => {
    isStale = true;
    if (asking) return;
    asking = true;
    void update();
  };
}

function watchMemory(): Disposable & { most(): number } {
  let most = 0;
  const look = setInterval(() => {
    void readUsage().then(({ memory }) => (most = Math.max(most, memory.console)));
  }, SAMPLE_EVERY_MS);
  return {
    most: () => most,
    [Symbol.dispose]: () => {
      clearInterval(look);
    },
  };
}
