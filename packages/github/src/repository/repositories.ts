import { LRUCache } from 'lru-cache';
import { lastOfMergeGroup, mergeGroupFolder } from '@nereid/domain/pull-request';
import type { Repository } from '@nereid/domain/root';
import { askMoves, createMovesOf } from './branch-moves.ts';
import type { Clients } from '../client/clients.ts';
import { together, type MergeQueue, type Repositories } from '@nereid/forge';

/** Each write of a check run asks, and a repository is hardly ever made public. */
const VISIBILITY_MS = 5 * 60_000;

/** More than one worker serves within minutes; each answer takes some hundred bytes. */
const VISIBILITIES_LIMIT = 5_000;

type OwnRepositories = Omit<Repositories, 'all' | 'allBeside' | 'installationOf'> & MergeQueue;

/** `clock` is for tests, in milliseconds. */
export function createRepositories(
  clients: Pick<Clients, 'ask'>,
  clock: { readonly now: () => number } = performance,
): OwnRepositories {
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

    /** A merge queue makes a branch of each group. */
    groups(repository, baseBranch) {
      const { owner, name: repo } = repository;
      return clients.ask(repository, 'GET matching refs', async (octokit) => {
        const request = { owner, repo, ref: `heads/${mergeGroupFolder(baseBranch)}` };
        const { data } = await octokit.request('GET /repos/{owner}/{repo}/git/matching-refs/{ref}', request);
        return data.flatMap(({ ref, object }) => {
          const branch = ref.slice('refs/heads/'.length);
          const upTo = lastOfMergeGroup(baseBranch, branch);
          return upTo === undefined ? [] : [{ branch, headSha: object.sha, upTo }];
        });
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
