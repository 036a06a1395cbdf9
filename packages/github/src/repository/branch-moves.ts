/** What moved a branch, as GitHub's activity view lists it: pushes, merges, when it was created, and when it was deleted. */
import type { Repository } from '@nereid/domain/root';
import type { BranchMove, MovesOf, ReadMoves } from '@nereid/forge';
import type { Octokit } from '@octokit/core';
import { LRUCache } from 'lru-cache';
import type { Clients } from '../client/clients.ts';
import { PAGE_SIZE } from '../client/pages.ts';
import { personOf } from '../people/account.ts';

/** Ten requests. A branch that moves a hundred times a day moves so often in ten days. */
export const MOVES_LIMIT = 1_000;

/** Everybody who confirms plans of one push at once is served by one answer, unless a move is missing there. */
const FRESH_MS = 5_000;

/** Branches that are deployed from, whose moves take 300 KB at most, and those of pull requests, which hardly move. */
const KEPT = 100;

/**
 * The past of a branch does not change, so only moves that are newer, or older than needed before, are requested. `clock` is for
 * tests, in milliseconds.
 */
export function createMovesOf(
  clients: Pick<Clients, 'ask'>,
  clock: { readonly now: () => number } = performance,
): MovesOf {
  const newest = new LRUCache<string, Promise<Page>>({ max: KEPT, ttl: FRESH_MS, ttlResolution: 0, perf: clock });
  const kept = new LRUCache<string, Page>({ max: KEPT });

  function newestOf(key: string, repository: Repository, branch: string): Promise<Page> {
    const known = newest.get(key);
    if (known !== undefined) return known;
    const asked = askMoves(clients, repository, { branch });
    newest.set(key, asked);
    asked.catch(() => newest.delete(key));
    return asked;
  }

  return async (repository, branch, areEnough) => {
    const key = JSON.stringify([repository.installationId, repository.owner, repository.name, branch]);
    const earlier = newest.get(key);
    try {
      let known = joined(await newestOf(key, repository, branch), kept.get(key));
      kept.set(key, known);
      if (earlier !== undefined && !(await areEnough(readOf(known)))) {
        // The branch may have moved since it was asked for.
        if (newest.get(key) === earlier) newest.delete(key);
        known = joined(await newestOf(key, repository, branch), kept.get(key));
        kept.set(key, known);
      }
      while (!(await areEnough(readOf(known))) && known.next !== undefined && known.moves.length < MOVES_LIMIT) {
        const older = await askMoves(clients, repository, { branch, after: known.next });
        known = { moves: [...known.moves, ...older.moves], next: older.next };
        kept.set(key, known);
      }
      return known.moves;
    } catch (error) {
      // The cursor may be the reason.
      kept.delete(key);
      throw error;
    }
  };
}

interface Page {
  readonly moves: readonly (BranchMove & { readonly id: number })[];
  /** Where GitHub goes on with what is older; undefined at the end. */
  readonly next: string | undefined;
}

function readOf({ moves, next }: Page): ReadMoves {
  return { moves, isWhole: next === undefined && moves.length < MOVES_LIMIT };
}

/** Without an overlap, there may be others between the two. */
function joined(newest: Page, known: Page | undefined): Page {
  const ids = new Set(known?.moves.map(({ id }) => id));
  const overlap = newest.moves.findIndex(({ id }) => ids.has(id));
  if (known === undefined || overlap === -1) return newest;
  const moves = [...newest.moves.slice(0, overlap), ...known.moves];
  return moves.length > MOVES_LIMIT ? { moves: moves.slice(0, MOVES_LIMIT), next: undefined } : { ...known, moves };
}

const MERGES: ReadonlySet<string> = new Set(['pr_merge', 'merge_queue_merge']);

interface Asked {
  readonly branch: string;
  readonly perPage?: number;
  /** The `next` of the page before. */
  readonly after?: string;
}

/** One page of the branches of this name, the newest move first. */
export function askMoves(
  clients: Pick<Clients, 'ask'>,
  repository: Repository,
  { branch, perPage = PAGE_SIZE, after }: Asked,
): Promise<Page> {
  const { owner, name: repo } = repository;
  return clients.ask(repository, 'GET activity', async (octokit: Octokit) => {
    const request = { owner, repo, ref: `refs/heads/${branch}`, per_page: perPage, ...(after && { after }) };
    const { data, headers } = await octokit.request('GET /repos/{owner}/{repo}/activity', request);
    const moves = data.map(({ id, before, after, timestamp, actor, activity_type: type }) => {
      return { id, before, after, at: timestamp, by: personOf(actor), isMerge: MERGES.has(type) };
    });
    return { moves, next: cursorIn(headers.link) };
  });
}

/** Of `<https://…/activity?…&after=…>; rel="next", <…>; rel="prev"`. */
function cursorIn(link = ''): string | undefined {
  const url = /<(?<url>[^<>]+)>;\s*rel="next"/.exec(link)?.groups?.['url'];
  return url === undefined ? undefined : (new URL(url).searchParams.get('after') ?? undefined);
}
