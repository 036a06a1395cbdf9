/**
 * Who may read a repository, for people who look at pages. GitHub is asked once for all readers of a repository where it lists them,
 * with the lowest share of its budget, and an answer serves for five minutes.
 */
import type { Repository } from '@nereid/domain/root';
import type { People } from '@nereid/forge';
import { LRUCache } from 'lru-cache';
import type { Clients } from '../client/clients.ts';
import { inBackground } from '../client/limits/background.ts';
import { READ_POINTS } from '../client/limits/points.ts';
import { inPages, PAGE_SIZE, PAGES_LIMIT } from '../client/pages.ts';
import { GitHubRefusedError } from '../errors.ts';
import { isNotFound } from '../client/failures.ts';
import { permissionIn } from './permission-in.ts';

const FRESH_MS = 5 * 60_000;

/** Logins in all lists, at sixty bytes each: 250 repositories with a thousand people. */
const READERS_LIMIT = 250_000;

/** Of single people; a hundred bytes each. */
const SINGLE_LIMIT = 20_000;

type Readers =
  | { readonly kind: 'everybody' | 'nobody'; readonly atMs: number }
  | { readonly kind: 'listed'; readonly logins: ReadonlySet<string>; readonly atMs: number }
  /** GitHub does not list them, or not all of them. */
  | { readonly kind: 'unlisted'; readonly atMs: number };

/** `clock` is for tests, in milliseconds. */
export function createFindReader(
  clients: Pick<Clients, 'ask'>,
  clock: { readonly now: () => number } = performance,
): People['findReader'] {
  const common = { ttl: FRESH_MS, ttlResolution: 0, perf: clock };
  const lists = createMemory(new LRUCache<string, Promise<Readers>>({ ...common, maxSize: READERS_LIMIT }), sizeOf);
  const singles = createMemory(new LRUCache<string, Promise<Single>>({ ...common, maxSize: SINGLE_LIMIT }), () => 1);

  return async (repository, login) => {
    const key = JSON.stringify([repository.installationId, repository.owner, repository.name]).toLowerCase();
    const readers = await lists.of(key, async () => ({
      ...(await askReaders(clients, repository)),
      atMs: clock.now(),
    }));
    const person = login.toLowerCase();
    const found =
      readers.kind === 'unlisted'
        ? await singles.of(`${key} ${person}`, async () => {
            return { mayRead: await askReader(clients, repository, person), atMs: clock.now() };
          })
        : { mayRead: isAmong(readers, person), atMs: readers.atMs };
    return { mayRead: found.mayRead, ageMs: clock.now() - found.atMs };
  };
}

interface Single {
  readonly mayRead: boolean;
  readonly atMs: number;
}

/** Who asks meanwhile waits for the same answer. A failure is not kept. */
function createMemory<T>(known: LRUCache<string, Promise<T>>, size: (value: T) => number) {
  return {
    of(key: string, ask: () => Promise<T>): Promise<T> {
      const before = known.get(key);
      if (before !== undefined) return before;
      const answer = ask();
      known.set(key, answer, { size: 1 });
      answer.then(
        (value) => {
          // Set again, because the size of an entry is taken only when it is set.
          known.delete(key);
          known.set(key, answer, { size: size(value) });
        },
        () => known.delete(key),
      );
      return answer;
    },
  };
}

function isAmong(readers: Exclude<Readers, { readonly kind: 'unlisted' }>, person: string): boolean {
  return readers.kind === 'listed' ? readers.logins.has(person) : readers.kind === 'everybody';
}

function sizeOf(readers: Readers): number {
  return readers.kind === 'listed' ? Math.max(1, readers.logins.size) : 1;
}

type WithoutTime<T> = T extends unknown ? Omit<T, 'atMs'> : never;

async function askReaders(clients: Pick<Clients, 'ask'>, repository: Repository): Promise<WithoutTime<Readers>> {
  const { owner, name: repo } = repository;
  const request = looking(repository, '');
  try {
    const { data } = await clients.ask(repository, 'GET repository', (octokit) =>
      octokit.request('GET /repos/{owner}/{repo}', { owner, repo, request }),
    );
    if (!data.private) return { kind: 'everybody' };
    // The whole enterprise reads it, and GitHub lists only those of the organisation.
    if (data.visibility === 'internal') return { kind: 'unlisted' };
  } catch (error) {
    if (isNotFound(error)) return { kind: 'nobody' };
    throw error;
  }
  try {
    const people = await inPages(async (page) => {
      const { data } = await clients.ask(repository, 'GET collaborators', (octokit) =>
        octokit.request('GET /repos/{owner}/{repo}/collaborators', { owner, repo, per_page: PAGE_SIZE, page, request }),
      );
      return data.map(({ login }) => login.toLowerCase());
    });
    return people.length < PAGE_SIZE * PAGES_LIMIT ? { kind: 'listed', logins: new Set(people) } : { kind: 'unlisted' };
  } catch (error) {
    if (error instanceof GitHubRefusedError) return { kind: 'unlisted' };
    throw error;
  }
}

async function askReader(clients: Pick<Clients, 'ask'>, repository: Repository, username: string): Promise<boolean> {
  const { owner, name: repo } = repository;
  const request = looking(repository, username);
  try {
    const { data } = await clients.ask(repository, 'GET permission', (octokit) =>
      octokit.request('GET /repos/{owner}/{repo}/collaborators/{username}/permission', {
        owner,
        repo,
        username,
        request,
      }),
    );
    return permissionIn(data) !== 'none';
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

function looking({ owner, name }: Repository, username: string) {
  return inBackground({
    priority: 'look',
    key: `readers ${owner}/${name} ${username}`,
    restPoints: 0,
    againPoints: READ_POINTS,
  });
}
