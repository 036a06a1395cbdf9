import { sameName } from '../state/accounts.ts';
import { teamJson } from '../json/team-json.ts';
import type { Team } from '../state/model.ts';
import { notFound, ok } from './answer.ts';
import type { Call, Route } from './route.ts';

export const teamRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/orgs/{org}/teams/{team_slug}',
    access: 'installation',
    permission: ['members', 'read'],
    answer: (call) => ok(teamJson(call.world, requireTeam(call))),
  },
  {
    method: 'GET',
    path: '/orgs/{org}/teams/{team_slug}/memberships/{username}',
    access: 'installation',
    permission: ['members', 'read'],
    answer(call) {
      const { organization, slug, members } = requireTeam(call);
      const login = call.params['username'] ?? '';
      if (!members.some((member) => sameName(member, login))) throw notFound();
      const url = `${call.world.apiUrl}/orgs/${organization}/teams/${slug}/memberships/${login}`;
      return ok({ url, role: 'member', state: 'active' });
    },
  },
];

function requireTeam({ world, params }: Call): Team {
  const [org = '', slug = ''] = [params['org'], params['team_slug']];
  const team = world.store.state.teams.find((each) => sameName(each.organization, org) && each.slug === slug);
  if (!team) throw notFound();
  return team;
}
