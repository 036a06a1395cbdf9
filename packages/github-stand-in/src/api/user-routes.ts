import { isClient, revokeToken } from '../auth/oauth.ts';
import { permissionsOf, userJson } from '../json/account-json.ts';
import { installationJson } from '../json/app-json.ts';
import { repositoryJson } from '../json/repository-json.ts';
import { findAccount, hasRole, roleOf } from '../state/accounts.ts';
import type { Repository } from '../state/model.ts';
import type { World } from '../world.ts';
import { ApiRefusal, notFound, ok, type Answer } from './answer.ts';
import { paged } from './pages.ts';
import type { Call, Caller, Route } from './route.ts';

/** What the App asks with the token of a person, how it ends such tokens, and what everybody may ask about accounts. */
export const userRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/user',
    access: 'anybody',
    answer({ world, caller }) {
      return ok(userJson(world, requireUser(caller)));
    },
  },
  {
    method: 'GET',
    path: '/users/{username}',
    access: 'anybody',
    answer({ world, params }) {
      const account = findAccount(world.store, params['username'] ?? '');
      if (account === undefined) throw notFound();
      return ok(userJson(world, account.login));
    },
  },
  {
    method: 'GET',
    path: '/user/installations',
    access: 'anybody',
    answer(call) {
      const { world, caller } = call;
      const ids = new Set(ownRepositories(world, requireUser(caller)).map(({ installationId }) => installationId));
      const own = world.store.state.installations.filter(({ id }) => ids.has(id));
      return paged(
        call,
        own,
        (each) => installationJson(world, each),
        (installations) => ({ total_count: own.length, installations }),
      );
    },
  },
  {
    method: 'GET',
    path: '/user/installations/{installation_id}/repositories',
    access: 'anybody',
    answer(call) {
      const { world, caller, params } = call;
      const login = requireUser(caller);
      const id = Number(params['installation_id']);
      const own = ownRepositories(world, login).filter(({ installationId }) => installationId === id);
      if (own.length === 0) throw notFound();
      return paged(
        call,
        own,
        (each) => ({ ...repositoryJson(world, each), permissions: permissionsOf(roleOf(each, login)) }),
        (repositories) => ({ total_count: own.length, repositories }),
      );
    },
  },
  ...(['token', 'grant'] as const).map((what): Route => {
    return {
      method: 'DELETE',
      path: `/applications/{client_id}/${what}`,
      access: 'anybody',
      answer: (call) => revoke(call, what),
    };
  }),
];

function requireUser(caller: Caller): string {
  if (caller.kind === 'user') return caller.login;
  throw new ApiRefusal(caller.kind === 'nobody' ? 401 : 403, 'Requires authentication');
}

/** Those that the person was let into: what everybody may read is not among them. */
function ownRepositories({ store }: World, login: string): readonly Repository[] {
  return store.state.repositories.filter((each) => hasRole(each, login, 'read'));
}

function revoke({ world, authorization, params, body }: Call, what: 'token' | 'grant'): Answer {
  if (!isClient(world, authorization) || params['client_id'] !== world.oauth?.clientId) throw notFound();
  const { access_token: token } = body as { access_token: string }; // As the description has it.
  if (!revokeToken(world, token, what)) throw notFound();
  return { status: 204 };
}
