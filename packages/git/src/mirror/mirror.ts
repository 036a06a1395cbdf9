/**
 * The mirror of one repository on this host.
 *
 * Changes (creating, fetching, tidying, replacing) happen one at a time; reads go on meanwhile. An operation that fails
 * although everything it needs was fetched shows that the mirror is corrupt: the mirror is replaced, and the operation is
 * tried once more. Callers do not notice.
 */
import { LRUCache } from 'lru-cache';
import { removeMirrorFolder } from './stored-mirrors.ts';
import { GitCommandError } from '../errors.ts';
import { asLines, createGitCommands, type GitCommandsOptions, type LocalCommand } from '../command/git-commands.ts';
import { makeMirror } from './make-mirror.ts';
import {
  hasMirrorFolder,
  hasOwnSettings,
  hasWorkingTrees,
  mirrorFolder,
  removeLeftOverLocks,
  restoreSettings,
  type MirrorFolder,
} from './mirror-folder.ts';
import { assertSha } from '../names.ts';
import type { GitResult } from '../command/run-git.ts';
import { createSerial, type Serial } from './serial.ts';
import { createTidying } from './tidying.ts';

export interface MirrorOptions extends GitCommandsOptions {
  readonly dir: string;
  /** Where git fetches from; without credentials. */
  readonly url: string;
}

export interface Mirror {
  readonly folder: MirrorFolder;
  /** Brings the commits into the mirror, then reads; heals a corrupt mirror on the way. */
  use<T>(shas: readonly string[], signal: AbortSignal | undefined, read: (mirror: Mirror) => Promise<T>): Promise<T>;
  /** Reads if all of the commits are in the mirror, and returns undefined if not; fetches nothing, and waits for no fetch. */
  look<T>(
    shas: readonly string[],
    signal: AbortSignal | undefined,
    read: (mirror: Mirror) => Promise<T>,
  ): Promise<T | undefined>;
  /** Runs git on the objects that are there, without any way to the server. */
  read(command: LocalCommand): Promise<GitResult>;
  /** Returns the commits that are in the mirror; fetches nothing. */
  presentOf(shas: readonly string[], signal: AbortSignal | undefined): Promise<readonly string[]>;
  /** Runs git in the bare repository, or in a working tree of it. */
  run(command: LocalCommand & { readonly cwd?: string }): Promise<GitResult>;
  /** Asks the server; changes nothing. */
  ask(command: LocalCommand): Promise<GitResult>;
  /** Fetches objects by id in one go. */
  fetchObjects(ids: readonly string[], signal: AbortSignal | undefined): Promise<void>;
  /** Fetches all contents of a revision and weighs them, but only once: its roots are checked out one after the other. */
  complete(sha: string, fetchContents: () => Promise<TreeWeight>): Promise<TreeWeight>;
  /** The sizes of a revision's contents by blob, all of which are in the mirror: found once, as long as the mirror is the same. */
  sizesOf(sha: string, find: () => Promise<ReadonlyMap<string, number>>): Promise<ReadonlyMap<string, number>>;
  /** Of two commits, whether one is an ancestor of the other: what git said once is so for ever. */
  readonly ancestors: LRUCache<string, Promise<boolean>>;
  /** For changes of files that all users of the mirror share. */
  readonly exclusively: Serial;
  usage(): MirrorUsage;
  /** Removes the mirror from the disk; it is made again when it is needed. Returns false, and removes nothing, while in use. */
  remove(): Promise<boolean>;
}

export interface MirrorUsage {
  /** Milliseconds since 1970; undefined when this process has not used it. */
  readonly usedAt: number | undefined;
  /** Another number means that the mirror may have another size. */
  readonly changes: number;
}

/**
 * Each of the last fetched commits has a ref, so that the next fetch tells the server that we have it. There are enough refs to
 * keep every busy branch among them; more would only make the negotiation longer.
 */
const RECENT_REFS = 64;

/** Commits known to be in the mirror, or to be complete there, so that git is asked only once. A few days of merges. */
const KNOWN_LIMIT = 1_000;

/** Of the revisions that are checked out at present: at a hundred bytes each, as much as a listing takes. */
const SIZES_LIMIT = 100_000;

/** Pairs of commits. Each lane asks about two or three of a push. */
const ANCESTORS_LIMIT = 10_000;

export function createMirror(options: MirrorOptions): Mirror {
  const { dir, url } = options;
  const folder = mirrorFolder(dir);
  const git = createGitCommands(options);
  const exclusively = createSerial();
  const known = new Set<string>();
  const completed = new Map<string, TreeWeight>();
  const sizes = new LRUCache<string, ReadonlyMap<string, number>>({
    maxSize: SIZES_LIMIT,
    sizeCalculation: ({ size }) => size + 1,
  });
  let generation = 0;
  let fetches = 0;
  let isOpen = false;
  let users = 0;
  let usedAt: number | undefined;
  let changes = 0;

  const tidying = createTidying({
    dir,
    exclusively,
    // By force: a killed gc leaves its pid behind, which may belong to another process by then.
    tidy: async () => git.local({ cwd: dir, verb: 'gc', args: ['--quiet', '--force'], signal: undefined }),
    onTidied: () => {
      changes += 1;
    },
  });

  const mirror: Mirror = {
    folder,
    exclusively,
    async use(shas, signal, read) {
      shas.forEach(assertSha);
      const before = generation;
      users += 1;
      usedAt = Date.now();
      try {
        await fetchMissing(shas, signal);
        return await read(mirror);
      } catch (error) {
        if (!(error instanceof GitCommandError)) throw error;
        await changing(async () => replace(before, signal));
        await fetchMissing(shas, signal);
        return await read(mirror);
      } finally {
        users -= 1;
        tidying.begin();
      }
    },
    async look(shas, signal, read) {
      shas.forEach(assertSha);
      users += 1;
      usedAt = Date.now();
      try {
        if (!(await hasMirrorFolder(dir))) return undefined;
        return (await presentOf(shas, signal)).length === shas.length ? await read(mirror) : undefined;
      } catch (error) {
        if (!(error instanceof GitCommandError)) throw error;
        // A corrupt mirror tells nothing; who needs it replaces it.
        return undefined;
      } finally {
        users -= 1;
      }
    },
    read: async (command) => git.local({ ...command, cwd: folder.local }),
    presentOf,
    run: async (command) => git.local({ cwd: dir, ...command }),
    ask: async (command) => git.remote({ ...command, cwd: dir }),
    async fetchObjects(ids, signal) {
      tidying.expectPacks();
      await changing(async () => git.fetchObjects({ cwd: dir, ids, signal }));
    },
    async complete(sha, fetchContents) {
      const before = completed.get(sha);
      if (before !== undefined) return before;
      const weight = await fetchContents();
      if (completed.size > KNOWN_LIMIT) completed.clear();
      completed.set(sha, weight);
      return weight;
    },
    async sizesOf(sha, find) {
      const known = sizes.get(sha);
      if (known !== undefined) return known;
      const before = generation;
      const found = await find();
      // Another operation may have replaced the mirror meanwhile.
      if (generation === before) sizes.set(sha, found);
      return found;
    },
    ancestors: new LRUCache({ max: ANCESTORS_LIMIT }),
    usage: () => ({ usedAt, changes }),
    async remove() {
      // A fetch may take minutes: the caller should not wait for it only to get false.
      if (users > 0) return false;
      return changing(async () => {
        if (await hasWorkingTrees(folder)) return false;
        // Users that come from here on find the mirror closed, and wait for us.
        if (users > 0) return false;
        forget();
        await removeMirrorFolder(dir);
        return true;
      });
    },
  };
  return mirror;

  async function fetchMissing(shas: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    if (isOpen && !(await hasOwnSettings(dir, url))) await changing(async () => restoreSettings(dir, url));
    if (isOpen && shas.every((sha) => known.has(sha))) return;
    tidying.expectPacks();
    await changing(async () => {
      await open(signal);
      const missing = await missingOf(shas, signal);
      if (missing.length > 0) await git.fetch({ cwd: dir, refspecs: missing.map(recentRef), shas: missing, signal });
      remember(known, shas);
    });
  }

  /** Runs a change that may grow or shrink the mirror. */
  async function changing<T>(change: () => Promise<T>): Promise<T> {
    try {
      return await exclusively(change);
    } finally {
      changes += 1;
    }
  }

  async function open(signal: AbortSignal | undefined): Promise<void> {
    if (isOpen) return;
    if (await hasMirrorFolder(dir)) {
      await removeLeftOverLocks(dir);
      await restoreSettings(dir, url);
    } else await makeMirror({ dir, url, git }, signal);
    isOpen = true;
  }

  /** Replaces the mirror, unless another operation has replaced it since the caller began. */
  async function replace(before: number, signal: AbortSignal | undefined): Promise<void> {
    if (generation !== before) return;
    forget();
    await makeMirror({ dir, url, git }, signal);
    isOpen = true;
  }

  function forget(): void {
    generation += 1;
    known.clear();
    completed.clear();
    sizes.clear();
    isOpen = false;
  }

  async function missingOf(shas: readonly string[], signal: AbortSignal | undefined): Promise<readonly string[]> {
    const present = new Set(await presentOf(shas, signal));
    return [...new Set(shas)].filter((sha) => !present.has(sha));
  }

  async function presentOf(shas: readonly string[], signal: AbortSignal | undefined): Promise<readonly string[]> {
    const unsure = shas.filter((sha) => !known.has(sha));
    if (unsure.length === 0) return shas;
    const before = generation;
    const { stdout } = await mirror.read({ verb: 'cat-file', args: ['--batch-check'], input: asLines(unsure), signal });
    const answers = stdout.toString().split('\n');
    const found = unsure.filter((_sha, index) => / commit \d+$/.test(answers[index] ?? ''));
    // Another operation may have replaced the mirror meanwhile.
    if (generation === before) remember(known, found);
    const present = new Set(found);
    return shas.filter((sha) => known.has(sha) || present.has(sha));
  }

  function recentRef(sha: string): string {
    fetches += 1;
    return `+${sha}:refs/nereid/recent/${fetches % RECENT_REFS}`;
  }
}

function remember(commits: Set<string>, shas: readonly string[]): void {
  if (commits.size > KNOWN_LIMIT) commits.clear();
  for (const sha of shas) commits.add(sha);
}

export interface TreeWeight {
  readonly bytes: number;
  readonly files: number;
  readonly directories: number;
}
