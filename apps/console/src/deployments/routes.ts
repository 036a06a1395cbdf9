/** The pages, logs and API of one deployment. People who may not see it get the same answer as if it did not exist. */
import { API_PATH } from '@nereid/api';
import { isStopOf } from '@nereid/config';
import { deploymentPageSubject, type LaneName } from '@nereid/domain/console';
import { hasEnded } from '@nereid/domain/deployment';
import { Router, type Request, type Response } from 'express';
import { openPage } from '../access/open-page.ts';
import { readingOf } from '../access/reading.ts';
import { sightOf } from '../access/sight.ts';
import { findShownStops } from '../access/stops/shown-stops.ts';
import type { DaysInSightSources } from '../access/patient-days.ts';
import { sendRefusal } from '../access/send-refusal.ts';
import type { ReaderSources } from '../access/serve-readers.ts';
import { watchReader, type ReaderWatchSources } from '../access/watch-reader.ts';
import { actorOf } from '../login/visitor/actor-of.ts';
import { whoLooks } from '../login/visitor/who-looks.ts';
import { sendProblem } from '../platform/http/send-problem.ts';
import { sendTo } from '../platform/http/send-to.ts';
import { deploymentDetailOf } from './deployment-detail.ts';
import type { DeploymentView } from './deployment-view.ts';
import { findWithPending, type PendingSources } from './find/find-deployment.ts';
import { answerList } from './list/answer-list.ts';
import { logRoutes, type LogRouteSources } from './logs/routes.ts';
import {
  DEPLOYMENT_NOT_SHOWN,
  findVisibleDeployment,
  type Find,
  type DeploymentOrRefusal,
} from './find-visible-deployment.ts';
import { deploymentPage, pageFragment } from './page.ts';
import { accessOf, queryText } from './plan/page-query.ts';
import { planRoutes, type PlanRouteSources } from './plan/routes.ts';

/** Each part asks the records for something else. */
export type DeploymentRouteSources = PageSources & Omit<PlanRouteSources, 'findVisible'>;

interface PageSources
  extends
    ReaderSources,
    DaysInSightSources,
    ReaderWatchSources,
    PendingSources,
    Pick<LogRouteSources, 'jobLogs' | 'streams'> {
  readonly logger: ReaderWatchSources['logger'];
  readonly trail: DaysInSightSources['trail'];
  /** Aborted when the console stops. */
  readonly stopping: AbortController;
}

/** Those that somebody follows. */
interface Followed {
  /** As it was seen last. */
  latest(id: string, lane: LaneName | undefined): DeploymentView | undefined;
}

export function deploymentRoutes(sources: DeploymentRouteSources, followed: Followed): Router {
  const router = Router();

  function findVisible(request: Request, find?: Find): Promise<DeploymentOrRefusal> {
    return findVisibleDeployment(sources, request, { id: request.params['id'], lane: request.query['lane'] }, find);
  }

  /** Returns the deployment that the request names. When there is none to show, sends the response and returns undefined. */
  async function viewFor(request: Request, response: Response, find?: Find): Promise<DeploymentView | undefined> {
    const found = await findVisible(request, find);
    if (found.kind === 'found') return found.view;
    if (found.kind === 'refused') sendRefusal(request, response, found);
    else sendTo(request)(response, DEPLOYMENT_NOT_SHOWN[found.kind]);
    return undefined;
  }

  /** However many pages follow it, and ask when it has changed, it is looked at once. */
  const findFollowed: Find = async (id, lane) => {
    const view = followed.latest(id, lane);
    return view ? { kind: 'found', view } : findWithPending(sources, id, lane);
  };

  /** A link alone shows none: it says nothing of what else there is. */
  async function withStops(view: DeploymentView, request: Request): Promise<DeploymentView> {
    const reading = await readingOf(sources, request);
    const { lane, deployment, progress } = view;
    if (reading.kind !== 'reader' || deployment.trigger === 'preview' || hasEnded(progress.status)) return view;
    const stops = await findShownStops(sightOf(sources, reading.reader));
    return { ...view, stops: stops.filter((stop) => isStopOf(stop, lane, deployment.root)) };
  }

  router.get('/deployments/:id', async (request, response) => {
    const view = await viewFor(request, response);
    if (!view) return;
    const [actor, who] = [await actorOf(sources, request), await whoLooks(sources, request)];
    const shown = await withStops(await sources.withPlanText(view), request);
    response.send(deploymentPage(shown, queryOf(request), actor, who).markup);
  });

  router.get('/deployments/:id/fragment', async (request, response) => {
    const view = await viewFor(request, response, findFollowed);
    if (!view) return;
    const shown = await withStops(await sources.withPlanText(view), request);
    response.send(pageFragment(shown, queryOf(request), await actorOf(sources, request)).markup);
  });

  router.use(
    '/deployments/:id',
    planRoutes({
      ...sources,
      findVisible: (request, id) => findVisibleDeployment(sources, request, { id, lane: request.query['lane'] }),
    }),
  );

  router.get(`${API_PATH}/deployments`, async (request, response) => {
    const answered = await answerList(sources, request);
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
      ...sources,
      viewFor,
      signal: sources.stopping.signal,
      watchReader: (request, { id, lane }) =>
        watchReader(sources, request, async () => {
          const opened = await openPage(sources, request, deploymentPageSubject(id, lane));
          return opened.kind === 'open' && opened.maySee(lane);
        }),
    }),
  );
  return router;
}

/** For the page's own requests. */
function queryOf({ query }: Request): string {
  return queryText(accessOf(query));
}
