/** The pages, logs and API of one deployment. People who may not see it get the same answer as if it did not exist. */
import { API_PATH } from '@nereid/api';
import { deploymentPageSubject, parseLaneName } from '@nereid/github';
import { Router, type Request, type Response } from 'express';
import { actorOf } from '../actions/actor-of.ts';
import { KEYLESS } from '../access/keyless.ts';
import { mayRead } from '../access/may-read.ts';
import type { Context } from '../context.ts';
import { sendProblem } from '../html/send-problem.ts';
import { sendTo } from '../html/send-to.ts';
import { logRoutes } from '../logs/routes.ts';
import { deploymentDetailOf } from './deployment-detail.ts';
import type { DeploymentView } from './deployment-view.ts';
import { findDeployment, type Found } from './find-deployment.ts';
import { answerList } from './list/answer-list.ts';
import { deploymentPage, pageFragment } from './page.ts';

export function deploymentRoutes(context: Context): Router {
  const router = Router();

  /** Returns the deployment that the request names. When there is none to show, sends the response and returns undefined. */
  async function viewFor(request: Request, response: Response): Promise<DeploymentView | undefined> {
    const found = await lookUp(context, request);
    if (found.kind === 'found') return found.view;
    sendTo(request)(response, NOT_SHOWN[found.kind]);
    return undefined;
  }

  router.get('/deployments/:id', async (request, response) => {
    const view = await viewFor(request, response);
    if (view) response.send(deploymentPage(view, queryOf(request), await actorOf(context, request)).markup);
  });

  router.get('/deployments/:id/fragment', async (request, response) => {
    const view = await viewFor(request, response);
    if (view) response.send(pageFragment(view, queryOf(request), await actorOf(context, request)).markup);
  });

  router.get(`${API_PATH}/deployments`, async (request, response) => {
    const answered = await answerList(context, request);
    if (answered.kind === 'found') response.json(answered.list);
    else sendProblem(response, answered.message);
  });

  router.get(`${API_PATH}/deployments/:id`, async (request, response) => {
    const view = await viewFor(request, response);
    if (view) response.json(deploymentDetailOf(view));
  });

  router.use(
    ['/deployments/:id/logs', `${API_PATH}/deployments/:id/logs`],
    logRoutes({
      jobLogs: context.jobLogs,
      viewFor,
      stopping: context.stopping.signal,
    }),
  );
  return router;
}

/** People without a key get the same answer for every address, too. */
async function lookUp(context: Context, request: Request): Promise<Found | { readonly kind: 'keyless' }> {
  const { id } = request.params;
  const { lane: named, key } = request.query;
  if (context.access.kind === 'link' && key === undefined) return { kind: 'keyless' };
  if (typeof id !== 'string' || !isDeploymentId(id)) return { kind: 'absent' };
  const lane = typeof named === 'string' ? parseLaneName(named) : undefined;
  // A key is for the deployment of one lane.
  const subject = lane === undefined ? '' : deploymentPageSubject(id, lane);
  if (!mayRead(context.access, { subject, key, host: request.headers.host })) return { kind: 'absent' };
  return findDeployment(context, id, lane);
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
