/** The pages, the logs and the API of one deployment. Who may not see it cannot tell it from one that is not there. */
import { parseLaneName } from '@nereid/github';
import { Router, type Request, type Response } from 'express';
import { mayRead } from '../access/may-read.ts';
import type { Context } from '../context.ts';
import { sendMessage } from '../html/send-message.ts';
import { logRoutes } from '../logs/routes.ts';
import type { DeploymentView } from './deployment-view.ts';
import { findDeployment, type Found } from './find-deployment.ts';
import { deploymentPage, pageFragment } from './page.ts';

export function deploymentRoutes(context: Context): Router {
  const router = Router();

  /** The deployment a request is about; where there is none to show, the answer is sent. */
  async function viewFor(request: Request, response: Response): Promise<DeploymentView | undefined> {
    const found = await lookUp(context, request);
    if (found.kind === 'found') return found.view;
    sendMessage(response, NOT_SHOWN[found.kind]);
    return undefined;
  }

  router.get('/deployments/:id', async (request, response) => {
    const view = await viewFor(request, response);
    if (view) response.send(deploymentPage(view, queryOf(request)).markup);
  });

  router.get('/deployments/:id/fragment', async (request, response) => {
    const view = await viewFor(request, response);
    if (view) response.send(pageFragment(view, queryOf(request)).markup);
  });

  router.get('/api/v1/deployments/:id', async (request, response) => {
    const found = await lookUp(context, request);
    if (found.kind === 'found') response.json(found.view);
    else sendProblem(response, found.kind);
  });

  router.use(
    '/deployments/:id/logs',
    logRoutes({ jobLogs: context.jobLogs, viewFor, stopping: context.stopping.signal }),
  );
  return router;
}

async function lookUp(context: Context, request: Request): Promise<Found> {
  const { id } = request.params;
  const { lane, key } = request.query;
  if (typeof id !== 'string' || !isDeploymentId(id)) return { kind: 'absent' };
  if (!mayRead(context.access, { deploymentId: id, key, host: request.headers.host })) return { kind: 'absent' };
  return findDeployment(context, id, typeof lane === 'string' ? parseLaneName(lane) : undefined);
}

/** A UUID: nobody asks for other workflows by this way. */
function isDeploymentId(id: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id);
}

const NOT_SHOWN = {
  absent: {
    status: 404,
    title: 'Not found',
    sentence: 'There is no such deployment, or this link does not open it. Use the link of its check run.',
  },
  unavailable: {
    status: 503,
    title: 'Not available',
    sentence:
      'The storage, or Temporal, could not tell about this deployment. Its check run may say why; otherwise try again in a moment.',
  },
} as const;

/** RFC 9457. */
function sendProblem(response: Response, kind: keyof typeof NOT_SHOWN): void {
  const { status, title, sentence } = NOT_SHOWN[kind];
  response
    .status(status)
    .type('application/problem+json')
    .send(JSON.stringify({ type: 'about:blank', title, status, detail: sentence }));
}

/** The part of the address that names the lane and opens the deployment, for the page's own requests. */
function queryOf({ query }: Request): string {
  const kept = new URLSearchParams();
  for (const name of ['lane', 'key']) {
    const value = query[name];
    if (typeof value === 'string') kept.set(name, value);
  }
  return kept.size === 0 ? '' : `?${kept.toString()}`;
}
