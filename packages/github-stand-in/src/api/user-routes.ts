import { isClient, revokeToken } from '../auth/oauth.ts';
import { userJson } from '../json/account-json.ts';
import { ApiRefusal, notFound, ok, type Answer } from './answer.ts';
import type { Call, Route } from './route.ts';

/** What the App asks with the token of a person, and how it ends such tokens. */
export const userRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/user',
    access: 'anybody',
    answer({ world, caller }) {
      if (caller.kind !== 'user') throw new ApiRefusal(caller.kind === 'nobody' ? 401 : 403, 'Requires authentication');
      return ok(userJson(world, caller.login));
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

function revoke({ world, authorization, params, body }: Call, what: 'token' | 'grant'): Answer {
  if (!isClient(world, authorization) || params['client_id'] !== world.oauth?.clientId) throw notFound();
  const { access_token: token } = body as { access_token: string }; // As the description has it.
  if (!revokeToken(world, token, what)) throw notFound();
  return { status: 204 };
}
