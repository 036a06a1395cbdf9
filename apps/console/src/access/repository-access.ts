/** Which repositories exist for a person: those that the forge says they can read. Asked seldom, and for many at once. */
import { coversRepository } from '@nereid/config';
import type { Repository } from '@nereid/domain/root';
import type { KnownVisitor, Visitor } from '../login/visitor/visitor.ts';
import { createKnownAccess, type Clock } from './known-access.ts';

export type Named = Pick<Repository, 'owner' | 'name'>;

/** How a person sees a repository. */
export type Sees =
  | 'no'
  /** Because everybody in the world does. */
  | 'as-everybody'
  /** Because they were let in. */
  | 'as-member';

export interface Seen {
  readonly sees: Sees;
  /** How long ago the forge said so, where that was not just now. */
  readonly ageMs?: number;
}

/** For each of the repositories, how the person sees it. Throws an `AccessUnknownError` when nobody can say. */
export type AskAccess = (visitor: KnownVisitor, repositories: readonly Named[]) => Promise<readonly Seen[]>;

export interface RepositoryAccess {
  /** Whether this repository exists for them: what they may not see is not there. */
  readonly maySee: (visitor: Visitor, repository: Named) => Promise<boolean>;
  /** The same for somebody who wants to do something there: never by an answer from before an outage. */
  readonly maySeeNow: (visitor: Visitor, repository: Named) => Promise<boolean>;
  /** The same for many: returns the answer for each of them, and no for all others. */
  readonly seenBy: (visitor: Visitor, repositories: Iterable<Named>) => Promise<(repository: Named) => boolean>;
  /** Whether they see one of these, and not only because everybody does. */
  readonly isMemberOfAny: (visitor: Visitor, repositories: Iterable<Named>) => Promise<boolean>;
}

export interface RepositoryAccessOptions {
  readonly askAccess: AskAccess;
  /** For tests, in milliseconds. */
  readonly clock?: Clock;
}

export function createRepositoryAccess({ askAccess, clock = performance }: RepositoryAccessOptions): RepositoryAccess {
  const known = createKnownAccess(askAccess, clock);

  async function look(
    visitor: Visitor,
    asked: Iterable<Named>,
    { isForAction = false } = {},
  ): Promise<(repository: Named) => Sees> {
    if (isTheConsolesOwn(visitor)) return () => 'as-member';
    if (visitor.kind !== 'person') return () => 'no';
    const covered = [...asked].filter((repository) => isCovered(visitor, repository));
    const repositories = new Map(covered.map((repository) => [nameOf(repository), repository]));
    const answers = await known.of({ key: personOf(visitor), visitor, repositories, isForAction });
    return (repository) => answers.get(nameOf(repository)) ?? 'no';
  }

  async function seenBy(visitor: Visitor, repositories: Iterable<Named>): Promise<(repository: Named) => boolean> {
    const seen = await look(visitor, repositories);
    return (repository) => seen(repository) !== 'no';
  }

  return {
    seenBy,
    maySee: async (visitor, repository) => (await seenBy(visitor, [repository]))(repository),
    async maySeeNow(visitor, repository) {
      const seen = await look(visitor, [repository], { isForAction: true });
      return seen(repository) !== 'no';
    },
    async isMemberOfAny(visitor, repositories) {
      if (isTheConsolesOwn(visitor)) return true;
      const all = [...repositories];
      const seen = await look(visitor, all);
      return all.some((repository) => seen(repository) === 'as-member');
    },
  };
}

/** On its own machine nobody is asked who they are. */
function isTheConsolesOwn(visitor: Visitor): boolean {
  return visitor.kind === 'local' || (visitor.kind === 'person' && visitor.proof.mode === 'local');
}

/** A token may be for some repositories only. */
function isCovered({ person: { token } }: KnownVisitor, { owner, name }: Named): boolean {
  return token === undefined || coversRepository(token, `${owner}/${name}`);
}

/** The forge's id stays when a login is renamed, and a login that is free again is somebody else's. */
export function personOf({ person: { id, login }, proof }: KnownVisitor): string {
  return `${proof.mode === 'github' ? 'github' : 'control'} ${id ?? login.toLowerCase()}`;
}

/** Whether two names, `owner/name`, are of one repository: the forge ignores their case. */
export function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Forges ignore the case of names. */
export function nameOf({ owner, name }: Named): string {
  return `${owner}/${name}`.toLowerCase();
}
