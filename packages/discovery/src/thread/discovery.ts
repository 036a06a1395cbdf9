/**
 * Discovery in threads. A thread computes and never waits for the network: contents that a mirror lacks end the job, are fetched,
 * and the job begins again. What it has parsed by then is still known.
 */
import type { Worker } from 'node:worker_threads';
import type { RepositoryPolicy } from '@nereid/config';
import type { Root } from '@nereid/domain/root';
import { BlobsMissingError, type RevisionTree } from '@nereid/git';
import type { Discovered } from '../discover-roots.ts';
import type { FoundRoots } from '../find-roots.ts';
import type { Touching } from '../find-touching.ts';
import type { RootInputs } from '../inputs/root-inputs.ts';
import { BUDGET, type Budget } from './budget.ts';
import type { Job, JobResult } from './messages.ts';
import { runOn, startThread, type Task } from './thread.ts';
import { createTurns, type Load } from './turns.ts';

export type { Load } from './turns.ts';

interface Asked {
  /** `owner/name`; has one thread at most. */
  readonly repository: string;
  readonly tree: RevisionTree;
  readonly policy: RepositoryPolicy;
  readonly signal?: AbortSignal | undefined;
}

export interface Change extends Asked {
  /** Relative to the repository's top; both names of a renamed file. */
  readonly changed: readonly string[];
  /** The revision before the change, with its roots. Without it, only roots that are still declared are reported as deleted. */
  readonly before?: RevisionTree;
}

export interface NamedRoots extends Asked {
  /** Hostile. */
  readonly names: readonly string[];
}

export interface Stretch extends Asked {
  /** Hostile. */
  readonly rootName: string;
  /** The files of each commit, relative to the repository's top. */
  readonly changes: readonly (readonly string[])[];
}

export interface OneRoot extends Asked {
  /** As it was ordered. */
  readonly root: Root;
}

/** Throws `DiscoveryBudgetError`, `DiscoveryBusyError`, whatever the tree throws, and the reason of an aborted signal. */
export interface Discovery extends AsyncDisposable {
  /** The roots that a change modifies. */
  discoverRoots(change: Change): Promise<Discovered>;
  /** Roots by their names. */
  findRoots(named: NamedRoots): Promise<FoundRoots>;
  /** The files of a revision that may change what Terraform plans for a root; `createIsInput` asks about one of them. */
  findInputs(one: OneRoot): Promise<RootInputs>;
  /** The commits that brought something to one root, which is that of the last commit's tree. */
  findTouching(stretch: Stretch): Promise<Touching>;
  /** Starts a thread ahead of the first discovery, which then takes no longer than any other. */
  warm(): void;
  load(): Load;
  /** Ends all threads. A discovery that is under way fails. */
  close(): Promise<void>;
}

/** One long discovery leaves a thread to all other repositories, and the worker has other work for its cores. */
const THREADS = 2;

/** A worker runs at most 300 activities of its kind at once, and each has one discovery. */
const WAITING_LIMIT = 1_000;

/** `budget`, for tests. */
export function openDiscovery({ budget = BUDGET }: { readonly budget?: Budget } = {}): Discovery {
  const turns = createTurns(THREADS, WAITING_LIMIT);
  const threads = new Set<Worker>();
  // The last one is used first: it knows the most files.
  const idle: Worker[] = [];
  let isClosed = false;

  const start = () => {
    const thread = startThread(budget);
    threads.add(thread);
    thread.once('exit', () => {
      threads.delete(thread);
      const at = idle.indexOf(thread);
      if (at !== -1) idle.splice(at, 1);
    });
    return thread;
  };

  const perform = async (task: Task): Promise<JobResult> => {
    if (isClosed)
      throw new Error('expected discovery to be open, found that the worker is closing; another worker goes on');
    const thread = idle.pop() ?? start();
    const end = await runOn(thread, task, budget).catch(async (error: unknown) => {
      await thread.terminate();
      // The next discovery should not wait for a start either.
      if (!isClosed) idle.push(start());
      throw error;
    });
    idle.push(thread);
    if (end.kind === 'failed') throw end.error;
    return end.result;
  };

  const ask = async <J extends Job>({ repository, tree }: Asked, task: Task<J>): Promise<JobResult<J>> => {
    for (;;) {
      try {
        // Git lists the files while the threads compute for others; the listing is kept until the thread asks for it.
        await tree.listing();
        // The thread answers a job with the result of its kind.
        return (await turns.run(repository, task.signal, async () => perform(task))) as JobResult<J>;
      } catch (error) {
        if (!(error instanceof BlobsMissingError)) throw error;
        await tree.fetch(error.blobs);
      }
    }
  };

  const close = async () => {
    isClosed = true;
    await Promise.all([...threads].map(async (thread) => thread.terminate()));
  };

  return {
    discoverRoots: async (change) => {
      const { tree, before, policy, changed, signal } = change;
      const job = { kind: 'discover', policy, changed, hasBefore: before !== undefined } as const;
      return ask(change, { job, trees: { tree, ...(before && { before }) }, signal });
    },
    findRoots: async (named) => {
      const { tree, policy, names, signal } = named;
      return ask(named, { job: { kind: 'find', policy, names }, trees: { tree }, signal });
    },
    findTouching: async (stretch) => {
      const { tree, policy, rootName, changes, signal } = stretch;
      return ask(stretch, { job: { kind: 'touch', policy, rootName, changes }, trees: { tree }, signal });
    },
    findInputs: async (one) => {
      const { tree, policy, root, signal } = one;
      return (await ask(one, { job: { kind: 'inputs', policy, root }, trees: { tree }, signal })).inputs;
    },
    warm: () => {
      idle.push(start());
    },
    load: () => turns.load(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
