import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { State } from './model.ts';

export interface Store {
  readonly state: State;
  /** Returns a number that nothing else has. */
  newId(): number;
  /** To be called after every change: tells listeners and writes the file soon. */
  changed(): void;
  /** Calls the listener after every change, until the returned function is called. */
  onChange(listener: () => void): () => void;
  /** Writes the pending changes. Later changes are not kept. */
  close(): Promise<void>;
}

/** A burst of changes (20 check runs of one push) becomes one write of megabytes; a crash loses at most this much time. */
const WRITE_DELAY_MS = 1_000;

/** Reads the state of an earlier run, or begins an empty one. */
export async function openStore(dataDir: string): Promise<Store> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, 'state.json');
  const state = readState(path);
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let written = Promise.resolve();
  let failure: unknown;

  const write = (): void => {
    timer = undefined;
    written = written
      .then(() => replaceFile(path, JSON.stringify(state)))
      .catch((error: unknown) => {
        failure = error;
      });
  };

  return {
    state,
    newId: () => state.nextId++,
    changed() {
      timer ??= setTimeout(write, WRITE_DELAY_MS);
      for (const listener of [...listeners]) listener();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      clearTimeout(timer);
      write();
      await written;
      if (failure !== undefined) throw new Error(`the state could not be written to ${path}`, { cause: failure });
    },
  };
}

/** Now, as GitHub writes times: ISO 8601 without fractions of a second. */
export function now(): string {
  return timestamp(Date.now());
}

export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

function readState(path: string): State {
  if (!existsSync(path)) return emptyState();
  try {
    // Only `replaceFile` below writes this file, and only with a State.
    return { ...emptyState(), ...(JSON.parse(readFileSync(path, 'utf8')) as State) };
  } catch (error) {
    throw new Error(`the state in ${path} cannot be read; remove the folder to begin again`, { cause: error });
  }
}

/** Writes a new file beside the old one and puts it in its place, so that there is never half a file. */
async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.new`;
  await writeFile(temporary, text);
  await rename(temporary, path);
}

function emptyState(): State {
  return {
    version: 1,
    // Ids have four digits from the first on, so that they are easily told from pull request numbers.
    nextId: 1001,
    accounts: [],
    teams: [],
    installations: [],
    tokens: [],
    repositories: [],
    branchRules: [],
    mergeQueues: [],
    activities: [],
    pullRequests: [],
    comments: [],
    reviews: [],
    checkSuites: [],
    checkRuns: [],
    deployments: [],
    workflowRuns: [],
    deliveries: [],
  };
}
