/** The pages, logs and API of one deployment. People who may not see it get the same answer as if it did not exist. */
import { API_PATH } from '@nereid/api';
import { deploymentPageSubject } from '@nereid/github';
import { Router, type Request, type Response } from 'express';
import { actorOf } from '../actions/actor-of.ts';
import { openPage } from '../access/open-page.ts';
import { sendRefusal } from '../access/send-refusal.ts';
import type { Context } from '../context.ts';
import type { Watches } from '../events/watches.ts';
import { sendProblem } from '../html/send-problem.ts';
import { sendTo } from '../html/send-to.ts';
import { watchReader } from '../streams/watch-reader.ts';
import { whoLooks } from '../login/who-looks.ts';
import { logRoutes } from '../logs/routes.ts';
import { deploymentDetailOf } from './deployment-detail.ts';
import type { DeploymentView } from './deployment-view.ts';
import { findWithPending } from './find/find-deployment.ts';
import { answerList } from './list/answer-list.ts';
import { DEPLOYMENT_NOT_SHOWN, lookUpDeployment, type Find, type LookedUp } from './look-up.ts';
import { deploymentPage, pageFragment } from './page.ts';

export function deploymentRoutes(context: Context, watches: Pick<Watches, 'latest'>): Router {
  const router = Router();

  function lookUp(request: Request, find?: Find): Promise<LookedUp> {
    return lookUpDeployment(context, request, { id: request.params['id'], lane: request.query['lane'] }, find);
  }

  /** Returns the deployment that the request names. When there is none to show, sends the response and returns undefined. */
  async function viewFor(request: Request, response: Response, find?: Find): Promise<DeploymentView | undefined> {
    const found = await lookUp(request, find);
    if (found.kind === 'found') return found.view;
    if (found.kind === 'refused') sendRefusal(request, response, found);
    else sendTo(request)(response, DEPLOYMENT_NOT_SHOWN[found.kind]);
    return undefined;
  }

  /** However many pages follow it, and ask when it has changed, it is looked at once. */
  const findFollowed: Find = async (id, lane) => {
    const view = watches.latest(id, lane);
    return view ? { kind: 'found', view } : findWithPending(context, id, lane);
  };

  router.get('/deployments/:id', async (request, response) => {
    const view = await viewFor(request, response);
    if (!view) return;
    const [actor, who] = [await actorOf(context, request), await whoLooks(context, request)];
    response.send(deploymentPage(view, queryOf(request), actor, who).markup);
  });

  router.get('/deployments/:id/fragment', async (request, response) => {
    const view = await viewFor(request, response, findFollowed);
    if (view) response.send(pageFragment(view, queryOf(request), await actorOf(context, request)).markup);
  });

  router.get(`${API_PATH}/deployments`, async (request, response) => {
    const answered = await answerList(context, request);
    if (answered.kind === 'found') response.json(answered.list);
    else if (answered.kind === 'refused') sendRefusal(request, response, answered);
    else sendProblem(response, answered.message);
  });

  router.get(`${API_PATH}/deployments/:id`, async (request, response) => {
    const view = await viewFor(request, response);
    if (view) response.json(deploymentDetailOf(view));
  });

  router.use(
    ['/deployments/:id/logs', `${API_PATH}/deployments/:id/logs`],
    logRoutes({
      ...context,
      viewFor,
      signal: context.stopping.signal,
      watchReader: (request, { id, lane }) =>
        watchReader(context, request, async () => {
          const opened = await openPage(context, request, deploymentPageSubject(id, lane));
          return opened.kind === 'open' && opened.maySee(lane);
        }),
    }),
  );
  return router;
}

/** The part of the query that names the lane and carries the key, for the page's own requests. */
function queryOf({ query }: Request): string {
  const kept = new URLSearchParams();
  for (const name of ['lane', 'key']) {
    const value = query[name];
    if (typeof value === 'string') kept.set(name, value);
  }
  return kept.size === 0 ? '' : `?${kept.toString()}`;
}
