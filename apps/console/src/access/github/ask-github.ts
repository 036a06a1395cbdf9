/**
 * Asks GitHub with the person's own token which repositories they see. A few are asked for one by one. For more there is the list of
 * those to which they were let in; of the others, all that they can still see is what everybody sees.
 */
import { LRUCache } from 'lru-cache';
import pMap from 'p-map';
import { z } from 'zod';
import type { KnownVisitor } from '../../login/visitor/visitor.ts';
import { AccessUnknownError } from '../access-unknown.ts';
import type { Clock } from '../known-access.ts';
import { nameOf, personOf, type AskAccess, type Named, type Seen } from '../repository-access.ts';
import { listOwnRepositories } from './own-repositories.ts';
import { personApi, type PersonApi } from './person-api.ts';
import { createQuestionLimits } from './question-limits.ts';

/** The list takes two requests or more, each of which takes GitHub longer. */
const FEW = 3;

/** Of one person; GitHub asks for less than a hundred at once. */
const AT_ONCE = 10;

/** GitHub allows a person 5,000 requests an hour: these leave them enough for their own work. */
const SINGLE_QUESTIONS = 1_500;
const LIST_REQUESTS = 1_500;

/** For everybody, whoever asked: what everybody sees does not depend on the person. */
const SHARED_MS = 5 * 60_000;

/** A person who is let in is on the list a moment later; only a repository that is made public is noticed as late as this. */
const NOT_SEEN_MS = 3_600_000;

/** A hundred bytes each. */
const PUBLIC_LIMIT = 5_000;
const NOT_SEEN_LIMIT = 50_000;

/** `clock` is for tests. */
export function createAskGitHub(apiUrl: string, clock: Clock = performance): AskAccess {
  const [singles, lists] = [createQuestionLimits(SINGLE_QUESTIONS), createQuestionLimits(LIST_REQUESTS)];
  const common = { ttlResolution: 0, perf: clock };
  const seenByEverybody = new LRUCache<string, number>({ max: PUBLIC_LIMIT, ttl: SHARED_MS, ...common });
  const notSeen = new LRUCache<string, true>({ max: NOT_SEEN_LIMIT, ttl: NOT_SEEN_MS, ...common });

  async function askOne(api: PersonApi, person: string, repository: Named): Promise<Seen> {
    const seen = await seenAt(api, repository);
    const name = nameOf(repository);
    if (seen.sees === 'as-everybody') seenByEverybody.set(name, clock.now());
    if (seen.sees === 'no') notSeen.set(`${person} ${name}`, true);
    return seen;
  }

  /** A repository that they were not let into. */
  function knownOf(person: string, repository: Named): Seen | undefined {
    const name = nameOf(repository);
    const since = seenByEverybody.get(name);
    if (since !== undefined) return { sees: 'as-everybody', ageMs: clock.now() - since };
    return notSeen.has(`${person} ${name}`) ? NOT_SEEN : undefined;
  }

  async function askAll(visitor: KnownVisitor, repositories: readonly Named[]): Promise<readonly Seen[]> {
    const person = personOf(visitor);
    const api = personApi(apiUrl, tokenOf(visitor), () => singles.spend(person, 1));
    return pMap(repositories, (repository) => askOne(api, person, repository), { concurrency: AT_ONCE });
  }

  async function askForMany(visitor: KnownVisitor, repositories: readonly Named[]): Promise<readonly Seen[]> {
    const person = personOf(visitor);
    const owners = new Set(repositories.map(({ owner }) => owner.toLowerCase()));
    const api = personApi(apiUrl, tokenOf(visitor), () => lists.spend(person, 1));
    const { names, isCut } = await listOwnRepositories(api, owners);
    const known = repositories.map((repository) =>
      names.has(nameOf(repository)) ? AS_MEMBER : knownOf(person, repository),
    );
    const others = repositories.filter((_, index) => known[index] === undefined);
    const left = await singles.left(person);
    if (isCut && others.length > left) throw new AccessUnknownError(TOO_MANY, RETRY_S);
    // The list has all that they were let into: of what is public, so much at a time is enough.
    const asked = others.slice(0, left);
    const found = await askAll(visitor, asked);
    const answers = new Map(asked.map((repository, index) => [nameOf(repository), found[index]]));
    return repositories.map((repository, index) => known[index] ?? answers.get(nameOf(repository)) ?? NOT_SEEN);
  }

  return async (visitor, repositories) => {
    const isFew = repositories.length <= FEW && repositories.length <= (await singles.left(personOf(visitor)));
    return isFew ? askAll(visitor, repositories) : askForMany(visitor, repositories);
  };
}

const AS_MEMBER: Seen = { sees: 'as-member' };
const NOT_SEEN: Seen = { sees: 'no' };

const TOO_MANY = 'you can read more repositories than GitHub lists at once';
const RETRY_S = 600;

const Repository = z.object({
  private: z.boolean(),
  permissions: z.object({ push: z.boolean(), triage: z.boolean().default(false) }).optional(),
});

/** A repository that was renamed answers under its new name. */
async function seenAt(api: PersonApi, { owner, name }: Named): Promise<Seen> {
  const found = await api.get(`/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`, Repository);
  if (found === undefined) return NOT_SEEN;
  const { private: isPrivate, permissions } = found;
  const isLetIn = isPrivate || permissions?.push === true || permissions?.triage === true;
  return isLetIn ? AS_MEMBER : { sees: 'as-everybody' };
}

function tokenOf({ proof }: KnownVisitor): string {
  if (proof.mode !== 'github') throw new Error('expected a person who logged in with GitHub, found another login');
  return proof.token;
}
