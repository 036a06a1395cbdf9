/** Which repositories exist for a person: those that GitHub says they can read. Asked seldom, and for many at once. */
import type { Repository } from '@nereid/contracts';
import { coversRepository } from '@nereid/config';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { KnownVisitor, Visitor } from '../login/visitor.ts';
import { AccessUnknownError } from './access-unknown.ts';

export type Named = Pick<Repository, 'owner' | 'name'>;

/** For each of the repositories, whether the person may read it. Throws an `AccessUnknownError` when nobody can say. */
export type AskAccess = (visitor: KnownVisitor, repositories: readonly Named[]) => Promise<readonly boolean[]>;

export interface RepositoryAccess {
  /** Whether this repository exists for them: what they may not see is not there. */
  readonly maySee: (visitor: Visitor, repository: Named) => Promise<boolean>;
  /** The same for many: returns the answer for each of them, and no for all others. */
  readonly seenBy: (visitor: Visitor, repositories: Iterable<Named>) => Promise<(repository: Named) => boolean>;
}

/** A person who lost access goes on reading for this long, and can do nothing meanwhile. */
const FRESH_MS = 5 * 60_000;

/** Two hundred bytes each: 200 people with 250 repositories. */
const ANSWERS_LIMIT = 50_000;

/** GitHub allows a person 5,000 requests an hour: these leave them enough for their own work. */
const QUESTIONS = { points: 1_500, duration: 3_600 };

export interface RepositoryAccessOptions {
  readonly askAccess: AskAccess;
  /** For tests, in milliseconds. */
  readonly clock?: { readonly now: () => number };
}

export function createRepositoryAccess({ askAccess, clock = performance }: RepositoryAccessOptions): RepositoryAccess {
  const known = new LRUCache<string, Promise<boolean>>({
    max: ANSWERS_LIMIT,
    ttl: FRESH_MS,
    ttlResolution: 0,
    perf: clock,
  });
  const limiter = new RateLimiterMemory(QUESTIONS);

  async function ask(visitor: KnownVisitor, repositories: readonly Named[]): Promise<readonly boolean[]> {
    await consume(limiter, personOf(visitor), repositories.length);
    return askAccess(visitor, repositories);
  }

  /** Who asks meanwhile waits for the same answer. A failure is not kept. */
  function answersFor(visitor: KnownVisitor, repositories: readonly Named[]): readonly Promise<boolean>[] {
    const keyOf = (repository: Named) => `${personOf(visitor)} ${nameOf(repository)}`;
    const kept = repositories.map((repository) => known.get(keyOf(repository)));
    const missing = repositories.filter((_, index) => kept[index] === undefined);
    const asked = missing.length === 0 ? Promise.resolve([]) : ask(visitor, missing);
    const news = new Map(
      missing.map((repository, index) => [keyOf(repository), asked.then((all) => all[index] === true)]),
    );
    for (const [key, answer] of news) {
      known.set(key, answer);
      answer.catch(() => known.delete(key));
    }
    return repositories.map(
      (repository, index) => kept[index] ?? news.get(keyOf(repository)) ?? Promise.resolve(false),
    );
  }

  async function seenBy(visitor: Visitor, repositories: Iterable<Named>): Promise<(repository: Named) => boolean> {
    if (visitor.kind === 'local') return () => true;
    if (visitor.kind !== 'person') return () => false;
    if (visitor.proof.mode === 'local') return () => true;
    const covered = [...repositories].filter((repository) => isCovered(visitor, repository));
    const byName = new Map(covered.map((repository) => [nameOf(repository), repository]));
    const answers = await Promise.all(answersFor(visitor, [...byName.values()]));
    const seen = new Set([...byName.keys()].filter((_, index) => answers[index]));
    return (repository) => seen.has(nameOf(repository));
  }

  return {
    seenBy,
    maySee: async (visitor, repository) => (await seenBy(visitor, [repository]))(repository),
  };
}

/** A token may be for some repositories only. */
function isCovered({ person: { token } }: KnownVisitor, { owner, name }: Named): boolean {
  return token === undefined || coversRepository(token, `${owner}/${name}`);
}

/** GitHub's id stays when a login is renamed, and a login that is free again is somebody else's. */
function personOf({ person: { id, login }, proof }: KnownVisitor): string {
  return `${proof.mode === 'github' ? 'github' : 'control'} ${id ?? login.toLowerCase()}`;
}

/** GitHub ignores the case of names. */
function nameOf({ owner, name }: Named): string {
  return `${owner}/${name}`.toLowerCase();
}

async function consume(limiter: RateLimiterMemory, person: string, questions: number): Promise<void> {
  try {
    await limiter.consume(person, questions);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    const why = 'you looked at more repositories within an hour than GitHub is asked about';
    throw new AccessUnknownError(why, Math.ceil(error.msBeforeNext / 1_000), { cause: error });
  }
}
