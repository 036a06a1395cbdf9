/** The page of a pull request's plans. People who may not see it get the same answer as if it did not exist. */
import { API_PATH, PullRequestDetail } from '@nereid/api';
import { parsePullRequestName } from '@nereid/domain/console';
import { Router, type Request, type Response } from 'express';
import { sendRefusal } from '../access/send-refusal.ts';
import { progressDetailOf } from '../deployments/deployment-detail.ts';
import { actorOf, type ActorSources } from '../login/visitor/actor-of.ts';
import { whoLooks, type WhoSources } from '../login/visitor/who-looks.ts';
import { sendTo } from '../platform/http/send-to.ts';
import {
  findVisiblePullRequest,
  PULL_REQUEST_NOT_SHOWN,
  type PullRequestOrRefusal,
  type VisiblePullRequestSources,
} from './find-visible-pull-request.ts';
import { pullRequestFragment, pullRequestPage } from './page.ts';
import type { PullRequestView } from './pull-request-view.ts';

export function pullRequestRoutes(sources: VisiblePullRequestSources & ActorSources & WhoSources): Router {
  const router = Router();

  function findVisible(request: Request): Promise<PullRequestOrRefusal> {
    const { owner, name, number } = request.params;
    return findVisiblePullRequest(sources, request, parsePullRequestName(owner, name, number));
  }

  /** When there is none to show, sends the response and returns undefined. */
  async function viewFor(request: Request, response: Response): Promise<PullRequestView | undefined> {
    const found = await findVisible(request);
    if (found.kind === 'found') return found.view;
    if (found.kind === 'refused') sendRefusal(request, response, found);
    else sendTo(request)(response, PULL_REQUEST_NOT_SHOWN[found.kind]);
    return undefined;
  }

  router.get('/pulls/:owner/:name/:number', async (request, response) => {
    const view = await viewFor(request, response);
    if (!view) return;
    const [actor, who] = [await actorOf(sources, request), await whoLooks(sources, request)];
    response.send(pullRequestPage(view, actor, who).markup);
  });

  router.get('/pulls/:owner/:name/:number/fragment', async (request, response) => {
    const view = await viewFor(request, response);
    if (view) response.send(pullRequestFragment(view, await actorOf(sources, request)).markup);
  });

  router.get(`${API_PATH}/pulls/:owner/:name/:number`, async (request, response) => {
    const view = await viewFor(request, response);
    if (view) response.json(detailOf(view));
  });
  return router;
}

/** The schema lists the fields, so that a new one is not answered by accident. */
function detailOf({ previews, ...view }: PullRequestView): PullRequestDetail {
  const shown = previews.map(({ planned, ...preview }) => {
    return { ...preview, ...(planned && { planned: { ...planned, progress: progressDetailOf(planned.progress) } }) };
  });
  return PullRequestDetail.parse({ ...view, previews: shown });
}
