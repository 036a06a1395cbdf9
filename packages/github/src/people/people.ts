/** A person's permission on a repository, and the id of their account. */
import type { Repository } from '@nereid/domain/root';
import type { People, Permission } from '@nereid/forge';
import { LRUCache } from 'lru-cache';
import type { Clients } from '../client/clients.ts';
import { orElse } from '../client/or-else.ts';
import { personOf } from './account.ts';
import { permissionIn } from './permission-in.ts';

type OwnPeople = Pick<People, 'permissionOf' | 'idOf'>;

export function createPeople(clients: Clients): OwnPeople {
  const asked = new LRUCache<string, Promise<Permission>>({ max: ASKED_AT_ONCE, ttl: FRESH_MS, ttlResolution: 0 });
  return {
    permissionOf(repository, login) {
      const { installationId, owner, name } = repository;
      const key = JSON.stringify([installationId, owner, name, login]);
      const known = asked.get(key);
      if (known !== undefined) return known;
      const answer = askPermission(clients, repository, login);
      asked.set(key, answer);
      answer.catch(() => asked.delete(key));
      return answer;
    },
    async idOf(repository, login) {
      const person = await orElse(undefined, () =>
        clients.ask(repository, 'GET user', async (octokit) => {
          const { data } = await octokit.request('GET /users/{username}', { username: login });
          return personOf(data);
        }),
      );
      return person?.id;
    },
  };
}

/** One answer serves a person who confirms twenty plans at once. */
const FRESH_MS = 500;

/** A hundred bytes each. */
const ASKED_AT_ONCE = 1_000;

function askPermission(clients: Clients, repository: Repository, login: string) {
  const { owner, name } = repository;
  return orElse<Permission>('none', () =>
    clients.ask(repository, 'GET permission', async (octokit) => {
      const { data } = await octokit.request('GET /repos/{owner}/{repo}/collaborators/{username}/permission', {
        owner,
        repo: name,
        username: login,
      });
      return permissionIn(data);
    }),
  );
}
