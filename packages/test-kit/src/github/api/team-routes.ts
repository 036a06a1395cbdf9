import { sameName } from '../state/accounts.ts';
import { notFound, ok } from './answer.ts';
import type { Route } from './route.ts';

export const teamRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/orgs/{org}/teams/{team_slug}/memberships/{username}',
    access: 'installation',
    permission: ['members', 'read'],
    answer({ world, params }) {
      const [org = '', slug = '', login = ''] = [params['org'], params['team_slug'], params['username']];
      const team = world.store.state.teams.find((each) => sameName(each.organization, org) && each.slug === slug);
      if (!team?.members.some((member) => sameName(member, login))) throw notFound();
      const url = `${world.apiUrl}/orgs/${org}/teams/${slug}/memberships/${login}`;
      return ok({ url, role: 'member', state: 'active' });
    },
  },
];
