/** Membership in teams of an organization. */
import type { Repository } from '@nereid/domain/root';
import type { Teams } from '@nereid/forge';
import type { Clients, Log } from '../client/clients.ts';
import { orElse } from '../client/or-else.ts';

/**
 * GitHub gives the same answer, 404, for a missing team and for a person who is not a member. Each missing team is logged once,
 * for the author of the rule.
 */
export function createTeams(clients: Clients, log: Pick<Log, 'warn'>): Teams {
  const known = new Map<string, 'there' | 'missing'>();
  return {
    isMember(repository, team, login) {
      return orElse(false, () =>
        clients.ask(repository, 'GET team membership', async (octokit) => {
          const { data } = await octokit.request('GET /orgs/{org}/teams/{team_slug}/memberships/{username}', {
            ...partsOf(team),
            username: login,
          });
          return data.state === 'active';
        }),
      );
    },

    async isMissing(repository, team) {
      // A team that exists is hardly ever deleted; a missing one may be created at any time.
      if (known.get(team) === 'there') return false;
      const isThere = await askTeam(clients, repository, team);
      if (!isThere && !known.has(team)) log.warn('a rule names a team that GitHub does not have', { team });
      known.set(team, isThere ? 'there' : 'missing');
      return !isThere;
    },
  };
}

function askTeam(clients: Clients, repository: Repository, team: string): Promise<boolean> {
  return orElse(false, () =>
    clients.ask(repository, 'GET team', async (octokit) => {
      await octokit.request('GET /orgs/{org}/teams/{team_slug}', partsOf(team));
      return true;
    }),
  );
}

function partsOf(team: string): { readonly org: string; readonly team_slug: string } {
  const [org = '', slug = ''] = team.split('/');
  return { org, team_slug: slug };
}
