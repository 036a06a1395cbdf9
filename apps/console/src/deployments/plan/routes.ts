/** The page of a deployment's plan, and its comparison with another plan of the root: of what a visitor may see. */
import { fullName } from '@nereid/domain/root';
import { Router, type Request, type Response } from 'express';
import { sendRefusal } from '../../access/send-refusal.ts';
import { actorOf, type ActorSources } from '../../login/visitor/actor-of.ts';
import { whoLooks, type WhoSources } from '../../login/visitor/who-looks.ts';
import { sitePage, type PlacePart } from '../../platform/html/site.ts';
import { deploymentPath, lanePath, lanesPath } from '../../platform/html/paths.ts';
import { isKnown, type Who } from '../../platform/html/who.ts';
import type { Message } from '../../platform/http/send-message.ts';
import { sendTo } from '../../platform/http/send-to.ts';
import type { DeploymentView } from '../deployment-view.ts';
import { DEPLOYMENT_NOT_SHOWN, type DeploymentOrRefusal } from '../find-visible-deployment.ts';
import { COMPARE_TO_TOP, compareBody } from './compare/compare-page.ts';
import { findOtherPlans, type OtherPlanSources } from './compare/other-plans.ts';
import { accessOf } from './page-query.ts';
import { planQueryOf } from './plan-filter.ts';
import { PLAN_TO_TOP, planBody } from './plan-page.ts';
import type { WithPlanText } from './read-plan-text.ts';

export interface PlanRouteSources extends ActorSources, WhoSources, OtherPlanSources {
  readonly withPlanText: WithPlanText;
  /** The deployment with this id, if the visitor may see it. */
  readonly findVisible: (request: Request, id: unknown) => Promise<DeploymentOrRefusal>;
}

export function planRoutes(sources: PlanRouteSources): Router {
  const router = Router({ mergeParams: true });

  /** When there is none to show, sends the response and returns undefined. */
  async function viewOf(request: Request, response: Response, id: unknown): Promise<DeploymentView | undefined> {
    const found = await sources.findVisible(request, id);
    if (found.kind === 'found') return sources.withPlanText(found.view);
    if (found.kind === 'refused') sendRefusal(request, response, found);
    else sendTo(request)(response, DEPLOYMENT_NOT_SHOWN[found.kind]);
    return undefined;
  }

  router.get('/plan', async (request, response) => {
    const view = await viewOf(request, response, idOf(request));
    if (!view) return;
    const made = view.progress.plan?.made.body;
    if (made === undefined) {
      sendTo(request)(response, NO_PLAN);
      return;
    }
    const [actor, who] = [await actorOf(sources, request), await whoLooks(sources, request)];
    const access = accessOf(request.query);
    // A link opens one deployment.
    const others = access.key === undefined ? await findOtherPlans(sources, view) : [];
    const shown = { view, made, query: planQueryOf(request.query), access, others };
    const title = `Plan of ${view.lane.rootName}`;
    response.send(
      sitePage('lanes', planBody(shown, actor), { title, toTop: PLAN_TO_TOP, who, place: placeOf(view, 'Plan', who) })
        .markup,
    );
  });

  router.get('/compare/:other', async (request, response) => {
    const after = await viewOf(request, response, idOf(request));
    const before = after && (await viewOf(request, response, request.params.other));
    if (!after || !before) return;
    if (fullName(before.lane) !== fullName(after.lane) || before.lane.rootName !== after.lane.rootName) {
      sendTo(request)(response, OTHER_ROOT);
      return;
    }
    const title = `Plans of ${after.lane.rootName}, compared`;
    const who = await whoLooks(sources, request);
    const options = { title, toTop: COMPARE_TO_TOP, who, place: placeOf(after, 'Compared', who) };
    response.send(
      sitePage(
        'lanes',
        compareBody({ before, after, view: planQueryOf(request.query).view, access: accessOf(request.query) }),
        options,
      ).markup,
    );
  });
  return router;
}

/** Of the path that this router is below. */
function idOf({ params }: Request): unknown {
  return (params as Readonly<Record<string, unknown>>)['id'];
}

function placeOf({ id, lane }: DeploymentView, last: string, who: Who | undefined): readonly PlacePart[] {
  const repository = fullName(lane);
  // A person who came by a link may see no lane.
  const lead = (path: string) => (isKnown(who) ? { path } : {});
  return [
    { text: repository, ...lead(lanesPath(repository)) },
    { text: lane.rootName, ...lead(lanePath(lane)) },
    { text: id.slice(0, 8), path: deploymentPath(id, lane) },
    { text: last },
  ];
}

const NO_PLAN: Message = {
  status: 404,
  title: 'No plan',
  sentence: 'This deployment has no plan: its page says how far it got, and why.',
};

const OTHER_ROOT: Message = {
  status: 404,
  title: 'Not found',
  sentence: 'These two deployments are of different roots: only plans of one root can be compared.',
};
