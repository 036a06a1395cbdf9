/** The pages, logs and API of one deployment. People who may not see it get the same answer as if it did not exist. */
import { deploymentPageSubject, parseLaneName } from '@nereid/github';
import { Router, type Request, type Response } from 'express';
import { actorOf } from '../actions/actor-of.ts';
import { KEYLESS } from '../access/keyless.ts';
import { openPage } from '../access/open-page.ts';
import type { Refusal } from '../access/reading.ts';
import { sendRefusal } from '../access/send-refusal.ts';
import type { Context } from '../context.ts';
import { sendMessage } from '../html/send-message.ts';
import { sendProblem } from '../html/send-problem.ts';
import { whoLooks } from '../login/who-looks.ts';
import { logRoutes } from '../logs/routes.ts';
import type { DeploymentView } from './deployment-view.ts';
import { findDeployment, type Found } from './find-deployment.ts';
import { deploymentPage, pageFragment } from './page.ts';

export function deploymentRoutes(context: Context): Router {
  const router = Router();

  /** Returns the deployment that the request names. When there is none to show, sends the response and returns undefined. */
  async function viewFor(request: Request, response: Response): Promise<DeploymentView | undefined> {
    const found = await lookUp(context, request);
    if (found.kind === 'found') return found.view;
    if (found.kind === 'refused') sendRefusal(request, response, found);
    else sendMessage(response, NOT_SHOWN[found.kind]);
    return undefined;
  }

  router.get('/deployments/:id', async (request, response) => {
    const view = await viewFor(request, response);
    if (!view) return;
    const [actor, who] = [await actorOf(context, request), await whoLooks(context, request)];
    response.send(deploymentPage(view, queryOf(request), actor, who).markup);
  });

  router.get('/deployments/:id/fragment', async (request, response) => {
    const view = await viewFor(request, response);
    if (view) response.send(pageFragment(view, queryOf(request), await actorOf(context, request)).markup);
  });

  router.get('/api/v1/deployments/:id', async (request, response) => {
    const found = await lookUp(context, request);
    if (found.kind === 'found') response.json(found.view);
    else if (found.kind === 'refused') sendRefusal(request, response, found);
    else sendProblem(response, NOT_SHOWN[found.kind]);
  });

  router.use(
    '/deployments/:id/logs',
    logRoutes({
      jobLogs: context.jobLogs,
      viewFor,
      stopping: context.stopping.signal,
    }),
  );
  return router;
}

/** People without a key get the same answer for every address, too. */
async function lookUp(
  context: Context,
  request: Request,
): Promise<Found | Refusal | { readonly kind: 'keyless' }> {
  const { id } = request.params;
  const { lane: named } = request.query;
  const lane = typeof named === 'string' ? parseLaneName(named) : undefined;
  const isId = typeof id === 'string' && isDeploymentId(id);
  // A key is for the deployment of one lane.
  const subject = isId && lane !== undefined ? deploymentPageSubject(id, lane) : undefined;
  const opened = await openPage(context, request, subject);
  if (opened.kind !== 'open') return opened;
  if (!isId || (lane && !(await opened.maySee(lane)))) return { kind: 'absent' };
  const found = await findDeployment(context, id, lane);
  // Temporal said whose it is.
  return found.kind !== 'found' || (await opened.maySee(found.view.lane)) ? found : { kind: 'absent' };
}

/** Only a UUID, so that nobody can ask for other workflows this way. */
function isDeploymentId(id: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id);
}

const NOT_SHOWN = {
  absent: {
    status: 404,
    title: 'Not found',
    sentence:
      'There is no such deployment, or this link does not open it: links open their page for 90 days. Use the link of its check run.',
  },
  keyless: KEYLESS,
  unavailable: {
    status: 503,
    title: 'Not available',
    sentence:
      'Storage or Temporal did not answer, so this deployment cannot be shown. Its check run may say why; otherwise try again in a moment.',
  },
} as const;

/** The part of the query that names the lane and carries the key, for the page's own requests. */
function queryOf({ query }: Request): string {
  const kept = new URLSearchParams();
  for (const name of ['lane', 'key']) {
    const value = query[name];
    if (typeof value === 'string') kept.set(name, value);
  }
  return kept.size === 0 ? '' : `?${kept.toString()}`;
}
