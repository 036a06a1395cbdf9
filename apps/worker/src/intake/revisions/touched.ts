/** Finds, commit by commit, the roots that a stretch of a branch touched, and those whose lanes lack their commits. */
import type { RepositoryPolicy } from '@nereid/config';
import type { Ordering } from '@nereid/domain/rollout';
import type { Repository, Root } from '@nereid/domain/root';
import type { RevisionTools } from '../../root/revision-tools.ts';
import { configWarnings } from '../../root/config-warnings.ts';
import { discoverIn, isRefused } from '../../root/discover.ts';

export interface TouchedStretch {
  readonly repository: Repository;
  readonly policy: RepositoryPolicy;
  /** Undefined when `upTo` is a commit without a parent. */
  readonly from: string | undefined;
  readonly upTo: string;
  /** Default: `COMMITS_LIMIT`. Tests have shorter stretches. */
  readonly limit?: number | undefined;
}

export interface Touch {
  readonly root: Root;
  /** The newest commit, of those that were looked at, that modifies the root. */
  readonly sha: string;
  /** That of the commit's roots. */
  readonly ordering: Ordering;
  /** About the configuration of the commit. */
  readonly configWarnings: readonly string[];
}

export interface Touched {
  readonly roots: readonly Touch[];
  /** Of the whole stretch, oldest first. */
  readonly commits: readonly string[];
  /** The last commit that was looked at and whose configuration could be read, else `from`. */
  readonly readTo: string | undefined;
}

/**
 * The oldest commits of a longer stretch are looked at. A commit took up to 70 ms on a busy machine, so this takes two or three
 * minutes at most, far below the limit of the activities that look.
 */
export const COMMITS_LIMIT = 2_000;

export async function findTouched(
  tools: RevisionTools,
  { repository, policy, from, upTo, limit = COMMITS_LIMIT }: TouchedStretch,
): Promise<Touched> {
  const { mirrors } = tools.context;
  const commits =
    from === undefined ? [upTo] : await mirrors.commitsBetween(repository, { after: from, upTo }, tools.signal);
  const roots = new Map<string, Touch>();
  let readTo = from;
  for (const [index, sha] of commits.entries()) {
    if (index >= limit && readTo !== from) break;
    const range =
      readTo === undefined ? ({ kind: 'commit', sha } as const) : { kind: 'push' as const, before: readTo, after: sha };
    const wasRefused = isRefused(tools, repository, sha);
    const found = await discoverIn(tools, { repository, policy, range });
    // The others of a stretch may take as long each: the next look goes on, and knows this one.
    if (!wasRefused && isRefused(tools, repository, sha)) break;
    // Its own push shows the problems. The next readable commit is compared with the last readable one before it.
    if (found.kind === 'problems') continue;
    const ofCommit = { sha, ordering: found.ordering, configWarnings: configWarnings(found) };
    for (const { root } of found.modified) roots.set(root.name, { root, ...ofCommit });
    readTo = sha;
  }
  return { roots: [...roots.values()], commits, readTo };
}

export interface Reached {
  /** The lane accepted neither that commit nor a later one of the stretch. */
  readonly lost: readonly Touch[];
  /** Why it is not known whether some have reached their lanes. */
  readonly failures: readonly (Pick<Touch, 'root'> & { readonly error: Error })[];
}

/** A lane that accepted a later commit of the branch has the earlier ones too. A failed read does not stop the others. */
export async function findLost(
  { context: { laneRecords }, signal }: RevisionTools,
  repository: Repository,
  { roots, commits }: Touched,
): Promise<Reached> {
  const lost: Touch[] = [];
  const failures: Reached['failures'][number][] = [];
  for (const touch of roots) {
    signal.throwIfAborted();
    try {
      const record = (await laneRecords.read(repository, touch.root.name))?.record;
      const accepted = new Set([...(record?.seen.merges ?? []), ...(record?.latest ? [record.latest.revision] : [])]);
      const laterOnes = commits.slice(commits.indexOf(touch.sha));
      if (!laterOnes.some((sha) => accepted.has(sha))) lost.push(touch);
    } catch (error) {
      failures.push({ root: touch.root, error: error instanceof Error ? error : new Error(String(error)) });
    }
  }
  return { lost, failures };
}
