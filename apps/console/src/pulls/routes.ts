/** The page of a pull request's plans. People who may not see it get the same answer as if it did not exist. */
import { parsePullRequestName, pullRequestPageSubject } from '@nereid/github';
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
    if (found.kind === 'refused') sendRefusal(request, response, found);
    else sendMessage(response, NOT_SHOWN[found.kind]);
    return undefined;
  }

  router.get('/pulls/:owner/:name/:number', async (request, response) => {
    const view = await viewFor(request, response);
    if (!view) return;
    const [actor, who] = [await actorOf(context, request), await whoLooks(context, request)];
    response.send(pullRequestPage(view, actor, who).markup);
  });

  router.get('/pulls/:owner/:name/:number/fragment', async (request, response) => {
    const view = await viewFor(request, response);
    if (view) response.send(pullRequestFragment(view, await actorOf(context, request)).markup);
  });

  router.get('/api/v1/pulls/:owner/:name/:number', async (request, response) => {
    const found = await lookUp(context, findPullRequest, request);
    if (found.kind === 'found') response.json(found.view);
    else if (found.kind === 'refused') sendRefusal(request, response, found);
    else sendProblem(response, NOT_SHOWN[found.kind]);
  });
  return router;
}

/** People without a key get the same answer for every address, too. */
async function lookUp(
  context: Context,
  findPullRequest: FindPullRequest,
  request: Request,
): Promise<FoundPullRequest | Refusal | { readonly kind: 'keyless' }> {
  const { owner, name, number } = request.params;
  const pull = parsePullRequestName(owner, name, number);
  const opened = await openPage(context, request, pull && pullRequestPageSubject(pull));
  if (opened.kind !== 'open') return opened;
  return pull && (await opened.maySee(pull)) ? findPullRequest(pull) : { kind: 'absent' };
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
