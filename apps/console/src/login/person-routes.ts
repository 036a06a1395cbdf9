import { API_PATH, type Me } from '@nereid/api';
import { Router } from 'express';
import { createWhoActs } from '../actions/who-acts.ts';
import type { Context } from '../context.ts';
import { sendProblem } from '../html/send-problem.ts';

/** Says to whoever asks as whom the console knows them. */
export function personRoutes(context: Context): Router {
  const router = Router({ strict: true });
  const whoActs = createWhoActs(context);
  router.get(`${API_PATH}/me`, async (request, response) => {
    const who = await whoActs(request);
    if (who.kind === 'message') {
      if (who.retryAfterS !== undefined) response.set('retry-after', String(who.retryAfterS));
      sendProblem(response, who.message);
      return;
    }
    const { login, token } = who.visitor.person;
    const me: Me = {
      login,
      ...(token && { token: { ...token, repositories: [...token.repositories], scopes: [...token.scopes] } }),
    };
    response.json(me);
  });
  return router;
}
