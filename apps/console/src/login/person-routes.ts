import { API_PATH, type Me } from '@nereid/api';
import { Router } from 'express';
import { sendProblem } from '../platform/http/send-problem.ts';
import { createWhoActs, type ActingSources } from './visitor/who-acts.ts';

/** Says to whoever asks as whom the console knows them. */
export function personRoutes(sources: ActingSources): Router {
  const router = Router({ strict: true });
  const whoActs = createWhoActs(sources);
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
