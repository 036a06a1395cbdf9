import { LRUCache } from 'lru-cache';
import type { Repository } from '@nereid/domain/root';
import { askMoves, createMovesOf, type BranchMove, type MovesOf } from './branch-moves.ts';
import type { Clients } from '../client/clients.ts';
import { together, type Contributors } from '../people/contributors.ts';

export interface Repositories {
  defaultBranch(repository: Repository): Promise<string>;
  /** Whether everybody in the world may see it. An answer serves for five minutes. */
  isPublic(repository: Repository): Promise<boolean>;
  /** The branches whose names begin like this. */
  branchesWith(repository: Repository, prefix: string): Promise<readonly Branch[]>;
  /** The last time that a branch of this name was pushed, merged into, created or deleted; undefined when GitHub knows of none. */
  lastMove(repository: Repository, branch: string): Promise<BranchMove | undefined>;
  readonly movesOf: MovesOf;
  /** Everybody who pushed a branch of this name, or merged into it, since it was last created. */
  pushersOf(repository: Repository, branch: string): Promise<Contributors>;
}

export interface Branch {
  readonly name: string;
  readonly headSha: string;
}

/** Each write of a check run asks, and a repository is hardly ever made public. */
const VISIBILITY_MS = 5 * 60_000;

/** More than one worker serves within minutes; each answer takes some hundred bytes. */
const VISIBILITIES_LIMIT = 5_000;

/** `clock` is for tests, in milliseconds. */
export function createRepositories(
  clients: Pick<Clients, 'ask'>,
  clock: { readonly now: () => number } = performance,
): Repositories {
  const visibilities = new LRUCache<string, Promise<boolean>>({
    max: VISIBILITIES_LIMIT,
    ttl: VISIBILITY_MS,
    ttlResolution: 0,
    perf: clock,
  });

  return {
    async defaultBranch(repository) {
      return (await askRepository(clients, repository)).default_branch;
    },

    isPublic(repository) {
      const { installationId, owner, name } = repository;
      const key = JSON.stringify([installationId, owner, name]);
      const known = visibilities.get(key);
      if (known !== undefined) return known;
      // An answer that lacks the field counts as public. What only a company sees is private to GitHub.
      const answer = askRepository(clients, repository).then((answered) => !answered.private);
      visibilities.set(key, answer);
      answer.catch(() => visibilities.delete(key));
      return answer;
    },

    branchesWith(repository, prefix) {
      const { owner, name: repo } = repository;
      return clients.ask(repository, 'GET matching refs', async (octokit) => {
        const request = { owner, repo, ref: `heads/${prefix}` };
        const { data } = await octokit.request('GET /repos/{owner}/{repo}/git/matching-refs/{ref}', request);
        return data.map(({ ref, object }) => ({ name: ref.slice('refs/heads/'.length), headSha: object.sha }));
      });
    },

    async lastMove(repository, branch) {
      return (await askMoves(clients, repository, { branch, perPage: 1 })).moves[0];
    },

    movesOf: createMovesOf(clients),

    async pushersOf(repository, branch) {
      // One page: nobody pushes a branch more often before it is merged.
      const { moves } = await askMoves(clients, repository, { branch });
      const created = moves.findIndex(({ before }) => /^0+$/.test(before));
      const people = moves.slice(0, created === -1 ? undefined : created + 1).map(({ by }) => by);
      return together([
        { people: people.flatMap((person) => person ?? []), hasUnknown: created === -1 || people.includes(undefined) },
      ]);
    },
  };
}

function askRepository(clients: Pick<Clients, 'ask'>, repository: Repository) {
  const { owner, name: repo } = repository;
  return clients.ask(repository, 'GET repository', async (octokit) => {
    const { data } = await octokit.request('GET /repos/{owner}/{repo}', { owner, repo });
    return data;
  });
}
