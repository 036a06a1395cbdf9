/** GitHub's facts about a person: permission on a repository, membership in a team. */
import { LRUCache } from 'lru-cache';
import type { Action } from '@nereid/domain/actions';
import type { PermissionRules, Repository } from '@nereid/domain/root';
import type { Clients, Log } from '../client/clients.ts';
import { isNotFound } from '../client/failures.ts';
import { requiredPermission } from '@nereid/domain/gates';
import type { Contributors } from './contributors.ts';
import { permissionIn } from './permission-in.ts';
import { mayDo, PERMISSIONS, type Decision, type Permission, type Question } from './permission-rule.ts';

export interface People {
  /** A person without access to the repository has `none`. */
  permissionOf(repository: Repository, login: string): Promise<Permission>;
  /** A person who has not accepted the invitation to a team is not a member. */
  isTeamMember(repository: Repository, team: Team, login: string): Promise<boolean>;
  /** Asks GitHub for the facts that the rules need, and decides. Throws when GitHub cannot be asked: that is never a yes. */
  authorise(request: AuthoriseRequest): Promise<Decision>;
}

export interface Team {
  readonly org: string;
  readonly slug: string;
}

export interface AuthoriseRequest {
  readonly repository: Repository;
  readonly action: Action;
  /** Empty for the action's default rule. */
  readonly rules: PermissionRules;
  /** GitHub login of the person who asks. */
  readonly login: string;
  /** GitHub's id of that person, where it is known. */
  readonly id?: number | undefined;
  /** Who brought what the action is about; for rules that ask for a colleague of theirs. */
  readonly contributors?: Contributors | undefined;
}

export function createPeople(clients: Clients, log: Pick<Log, 'warn'>): People {
  const isMissing = createMissingTeams(clients, log);
  const asked = new LRUCache<string, Promise<Permission>>({ max: ASKED_AT_ONCE, ttl: FRESH_MS, ttlResolution: 0 });
  const people: People = {
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

    isTeamMember(repository, { org, slug }, login) {
      return orElse(false, () =>
        clients.ask(repository, 'GET team membership', async (octokit) => {
          const { data } = await octokit.request('GET /orgs/{org}/teams/{team_slug}/memberships/{username}', {
            org,
            team_slug: slug,
            username: login,
          });
          return data.state === 'active';
        }),
      );
    },

    async authorise({ repository, action, rules, login, id, contributors }) {
      const permission = await people.permissionOf(repository, login);
      const isWorthAsking = PERMISSIONS.indexOf(permission) >= PERMISSIONS.indexOf(requiredPermission(action, rules));
      const asked = isWorthAsking ? rules.flatMap(({ teams }) => (teams ? [teams] : [])) : [];
      const found = await Promise.all(asked.map((names) => teamsOf({ people, isMissing }, repository, names, login)));
      const teams = found.flatMap((one) => one.teams);
      const missingTeams = found.flatMap((one) => one.missingTeams ?? []);
      return mayDo({ action, rules, login, id, permission, teams, missingTeams, contributors });
    },
  };
  return people;
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

/** Membership in one team suffices, so the search ends with the first one found. */
async function teamsOf(
  { people, isMissing }: { readonly people: People; readonly isMissing: IsMissing },
  repository: Repository,
  names: readonly string[],
  login: string,
): Promise<Pick<Question, 'teams' | 'missingTeams'>> {
  const missingTeams: string[] = [];
  for (const name of names) {
    const [org = '', slug = ''] = name.split('/');
    if (await people.isTeamMember(repository, { org, slug }, login)) return { teams: [name] };
    if (await isMissing(repository, { org, slug })) missingTeams.push(name);
  }
  return { teams: [], missingTeams };
}

type IsMissing = (repository: Repository, team: Team) => Promise<boolean>;

/**
 * Whether GitHub has no such team: nobody can meet a rule that names it. GitHub gives the same answer, 404, for a missing team
 * and for a person who is not a member. Each missing team is logged once, for the author of the rule.
 */
function createMissingTeams(clients: Clients, log: Pick<Log, 'warn'>): IsMissing {
  const known = new Map<string, 'there' | 'missing'>();
  return async (repository, { org, slug }) => {
    const name = `${org}/${slug}`;
    // A team that exists is hardly ever deleted; a missing one may be created at any time.
    if (known.get(name) === 'there') return false;
    const isThere = await orElse(false, () =>
      clients.ask(repository, 'GET team', async (octokit) => {
        await octokit.request('GET /orgs/{org}/teams/{team_slug}', { org, team_slug: slug });
        return true;
      }),
    );
    if (!isThere && !known.has(name)) log.warn('a rule names a team that GitHub does not have', { team: name });
    known.set(name, isThere ? 'there' : 'missing');
    return !isThere;
  };
}

async function orElse<T>(otherwise: T, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (isNotFound(error)) return otherwise;
    throw error;
  }
}
