/** The pages and the API of all lanes, each person's own: what they may not see is not there. */
import {
  API_PATH,
  OPERATIONS,
  type LaneDetail,
  type LaneList,
  type RolloutDetail,
  type RolloutList,
} from '@nereid/api';
import { fullName, shortSha } from '@nereid/contracts';
import { parseLaneName } from '@nereid/github';
import { Router, type Request, type Response } from 'express';
import { actorOf } from '../actions/actor-of.ts';
import type { Actor } from '../actions/buttons.ts';
import { readingOf } from '../access/reading.ts';
import { sendRefusal } from '../access/send-refusal.ts';
import { sightOf, type Sight } from '../access/sight.ts';
import type { Context } from '../context.ts';
import type { Html } from '../html/html.ts';
import { AWAY, BAD_QUERY, readQuery } from '../html/lists.ts';
import { sendMessage, type Message } from '../html/send-message.ts';
import { sendProblem } from '../html/send-problem.ts';
import { sitePage } from '../html/site.ts';
import type { Who } from '../html/who.ts';
import { whoLooks } from '../login/who-looks.ts';
import { findRollout, listRollouts } from '../rollouts/find-rollouts.ts';
import { findPlans, type WaitingPlans } from '../rollouts/find-plans.ts';
import { PLANS_TO_TOP, plansBody } from '../rollouts/plans-page.ts';
import { ROLLOUT_TO_TOP, rolloutsState, rolloutState } from '../rollouts/page.ts';
import { IN_LISTS_MS } from '../trail/day-cache.ts';
import { decodePlace } from '../trail/place-cursor.ts';
import { attentionBody, attentionOnly, type ShownAttention } from './attention-page.ts';
import { findLaneDetail } from './lane/find-lane-detail.ts';
import { LANE_TO_TOP, laneBody, laneState } from './lane/lane-page.ts';
import { lanesBody, lanesState } from './lanes-page.ts';
import { listLanes, type LanesQuery } from './list-lanes.ts';

type Answer<T> =
  { readonly kind: 'found'; readonly value: T } | { readonly kind: 'message'; readonly message: Message };

/** The same content as a page, as the part of it that its script asks for again, and as the API answers it. */
interface Shown<T> {
  page(value: T, actor: Actor | undefined, who: Who | undefined): Html;
  state(value: T, actor: Actor | undefined): Html;
  api(value: T): object;
}

export function fleetRoutes(context: Context): Router {
  const router = Router({ strict: true });
  const { githubUrl } = context.links;

  function serve<T>(path: string, make: Make<T>, as: Served<T>): void {
    router.get(path, async (request, response) => {
      const reading = await readingOf(context, request);
      if (reading.kind === 'refused') {
        sendRefusal(request, response, reading);
        return;
      }
      const made = await make(request, sightOf(context, reading.reader));
      if (made.kind === 'found')
        as.found(response, made.value, await actorOf(context, request), await whoLooks(context, request));
      else as.not(response, made.message);
    });
  }

  function serveAll<T>(path: string, make: Make<T>, shown: Shown<T>): void {
    const page = path === ATTENTION ? '/' : path;
    serve(
      page,
      make,
      asPage((value, actor, who) => shown.page(value, actor, who)),
    );
    serve(
      `${path}/fragment`,
      make,
      asPage((value, actor) => shown.state(value, actor)),
    );
    const found = (response: Response, value: T) => response.json(shown.api(value));
    serve(`${API_PATH}${path}`, make, { found, not: sendProblem });
  }

  /** While storage does not answer, nobody knows what is not there. */
  const orAway = async (message: Message) =>
    (await context.readFleet()).unavailable.includes('storage') ? AWAY : message;

  const lanes: Make<Lanes> = async (request, sight) => {
    const query = readQuery(OPERATIONS.listLanes.query, request);
    if (query.kind === 'message') return query;
    const { cursor } = query.value;
    if (cursor !== undefined && parseLaneName(cursor) === undefined) return messageOf(BAD_QUERY);
    const picture = await sight.readFleet();
    const list = listLanes(picture, query.value, githubUrl);
    const repositories = [...new Set(picture.lanes.map(fullName))];
    return { kind: 'found', value: { list, query: query.value, repositories } };
  };

  const lane: Make<LaneDetail> = async (request, sight) => {
    const { owner, name, root } = request.params;
    const query = readQuery(OPERATIONS.getLane.query, request);
    if (query.kind === 'message') return query;
    const { at, cursor, limit } = query.value;
    const place = cursor === undefined ? undefined : decodePlace(cursor);
    if (cursor !== undefined && place === undefined) return messageOf(BAD_QUERY);
    const before = place && { endedAt: place.at, id: place.id };
    const wanted = parseLaneName(`${String(owner)}/${String(name)}/${String(root)}`);
    const found = wanted && (await findLaneDetail({ ...context, ...sight, githubUrl }, wanted, { at, before, limit }));
    return found ? { kind: 'found', value: found } : messageOf(await orAway(NO_LANE));
  };

  const rolloutSources = (sight: Sight) => ({ ...context, ...sight, githubUrl, nowMs: Date.now() });

  const attention: Make<ShownAttention> = async (_request, sight) => {
    const list = listLanes(await sight.readFleet(), { limit: Infinity }, githubUrl);
    const hosts = (await sight.isInsider()) ? (await context.readHosts())?.list.items : [];
    const away = hosts?.filter(({ state }) => state === 'away');
    const { items } = await listRollouts(rolloutSources(sight));
    const rollouts = items.slice(0, MERGES_SHOWN);
    const found = { lanes: list, ...(away && { hosts: away }), rollouts };
    return { kind: 'found', value: { ...found, mayAskDoctor: sight.mayAskDoctor() } };
  };

  serveAll(ATTENTION, attention, {
    page: (found, actor, who) =>
      sitePage('', attentionBody(found, actor), {
        live: { fragment: 'attention/fragment', events: { kinds: 'lane,hosts,unavailable' } },
        who,
      }),
    state: attentionBody,
    api: attentionOnly,
  });
  serveAll('/lanes', lanes, {
    page: ({ list, query, repositories }, _actor, who) =>
      sitePage('lanes', lanesBody(list, query, repositories), {
        live: { fragment: 'lanes/fragment', events: { repository: query.repository, kinds: 'lane,unavailable' } },
        who,
      }),
    state: ({ list, query }) => lanesState(list, query),
    api: ({ list }) => list,
  });
  serveAll('/lanes/:owner/:name/:root', lane, {
    page: (found, actor, who) => {
      const { rootName: title, repository } = found;
      const live = { fragment: `${title}/fragment`, events: { repository, root: title, kinds: OF_DEPLOYMENTS } };
      return sitePage('lanes', laneBody(found, actor), { title, toTop: LANE_TO_TOP, live, who });
    },
    state: laneState,
    api: (found) => found,
  });
  const rollouts: Make<RolloutList> = async (_request, sight) => {
    return { kind: 'found', value: await listRollouts(rolloutSources(sight)) };
  };

  const rollout: Make<RolloutDetail> = async (request, sight) => {
    const { owner, name, sha } = request.params;
    const found = await findRollout(rolloutSources(sight), `${String(owner)}/${String(name)}`, String(sha));
    if (found === 'unavailable') return messageOf(AWAY);
    return found === 'absent' ? messageOf(NO_ROLLOUT) : { kind: 'found', value: found };
  };

  serveAll('/rollouts', rollouts, {
    page: (found, _actor, who) =>
      sitePage('rollouts', rolloutsState(found), {
        live: { fragment: 'rollouts/fragment', events: { kinds: OF_DEPLOYMENTS }, settledMs: IN_LISTS_MS },
        who,
      }),
    state: rolloutsState,
    api: (found) => found,
  });
  serveAll('/rollouts/:owner/:name/:sha', rollout, {
    page: (found, actor, who) => {
      const { title, sha, repository } = found;
      const events = { repository, kinds: OF_DEPLOYMENTS };
      const live = { fragment: `${sha}/fragment`, events, settledMs: IN_LISTS_MS };
      return sitePage('rollouts', rolloutState(found, actor), { title, toTop: ROLLOUT_TO_TOP, live, who });
    },
    state: rolloutState,
    api: (found) => found,
  });
  const plans: Make<WaitingPlans> = async (request, sight) => {
    const found = await rollout(request, sight);
    return found.kind === 'found' ? { kind: 'found', value: await findPlans(context, found.value) } : found;
  };

  const plansPage = asPage<WaitingPlans>((found, actor, who) => {
    const { title, sha } = found.rollout;
    const options = { title: `Plans of ${title === '' ? shortSha(sha) : title}`, toTop: PLANS_TO_TOP, who };
    return sitePage('rollouts', plansBody(found, actor), options);
  });
  serve('/rollouts/:owner/:name/:sha/plans', plans, plansPage);
  return router;
}

function asPage<T>(of: Shown<T>['page']): Served<T> {
  return { found: (response, value, ...by) => response.send(of(value, ...by).markup), not: sendMessage };
}

type Make<T> = (request: Request, sight: Sight) => Promise<Answer<T>>;

interface Served<T> {
  found(response: Response, value: T, actor: Actor | undefined, who: Who | undefined): void;
  not(response: Response, message: Message): void;
}

interface Lanes {
  readonly list: LaneList;
  readonly query: LanesQuery;
  readonly repositories: readonly string[];
}

/** The page of it is the console's first. */
const ATTENTION = '/attention';

/** On the first page; the others are on a page of their own. */
const MERGES_SHOWN = 5;

/** Events that tell how deployments go and end. */
const OF_DEPLOYMENTS = 'lane,deployment,unavailable';

function messageOf(message: Message): { readonly kind: 'message'; readonly message: Message } {
  return { kind: 'message', message };
}

const NO_LANE: Message = {
  status: 404,
  title: 'Not found',
  sentence: 'There is no such lane: nothing was ever deployed to a root of this name.',
};

const NO_ROLLOUT: Message = {
  status: 404,
  title: 'Not found',
  sentence: 'This revision was not deployed in the last two weeks.',
};
