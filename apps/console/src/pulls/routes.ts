/** The page of a pull request's plans. People who may not see it get the same answer as if it did not exist. */
import { API_PATH, PullRequestDetail } from '@nereid/api';
import { parsePullRequestName, pullRequestPageSubject } from '@nereid/github';
import { Router, type Request, type Response } from 'express';
import { actorOf } from '../actions/actor-of.ts';
import { KEYLESS } from '../access/keyless.ts';
import { mayRead } from '../access/may-read.ts';
import type { Context } from '../context.ts';
import { sendTo } from '../html/send-to.ts';
import { createFindPullRequest, type FindPullRequest, type FoundPullRequest } from './find-pull-request.ts';
import { pullRequestFragment, pullRequestPage } from './page.ts';
import type { PullRequestView } from './pull-request-view.ts';

export function pullRequestRoutes(context: Context): Router {
  const router = Router();
  const findPullRequest = createFindPullRequest(context);

  /** When there is none to show, sends the response and returns undefined. */
  async function viewFor(request: Request, response: Response): Promise<PullRequestView | undefined> {
    const found = await lookUp(context, findPullRequest, request);
    if (found.kind === 'found') return found.view;
    sendTo(request)(response, NOT_SHOWN[found.kind]);
    return undefined;
  }

  router.get('/pulls/:owner/:name/:number', async (request, response) => {
    const view = await viewFor(request, response);
    if (view) response.send(pullRequestPage(view, await actorOf(context, request)).markup);
  });

  router.get('/pulls/:owner/:name/:number/fragment', async (request, response) => {
    const view = await viewFor(request, response);
    if (view) response.send(pullRequestFragment(view, await actorOf(context, request)).markup);
  });

  router.get(`${API_PATH}/pulls/:owner/:name/:number`, async (request, response) => {
    const view = await viewFor(request, response);
    // The schema lists the fields, so that a new one is not answered by accident.
    if (view) response.json(PullRequestDetail.parse(view));
  });
  return router;
}

/** People without a key get the same answer for every address, too. */
async function lookUp(
  { access }: Context,
  findPullRequest: FindPullRequest,
  { params, query: { key }, headers }: Request,
): Promise<FoundPullRequest | { readonly kind: 'keyless' }> {
  if (access.kind === 'link' && key === undefined) return { kind: 'keyless' };
  const pull = parsePullRequestName(params['owner'], params['name'], params['number']);
  if (pull === undefined) return { kind: 'absent' };
  const mayReadIt = mayRead(access, { subject: pullRequestPageSubject(pull), key, host: headers.host });
  return mayReadIt ? findPullRequest(pull) : { kind: 'absent' };
}

const NOT_SHOWN = {
  absent: {
    status: 404,
    title: 'Not found',
    sentence:
      'No plans of such a pull request are kept, or this link does not open them: links open their page for 90 days. Use the link of its check run nereid/plan.',
  },
  keyless: KEYLESS,
  unavailable: {
    status: 503,
    title: 'Not available',
    sentence:
      'Storage did not answer, so these plans cannot be shown. The checks of the pull request say the same; otherwise try again in a moment.',
  },
} as const;
