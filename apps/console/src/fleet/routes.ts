/** The pages and the API of all lanes: only for people on the console's own machine. */
import {
  API_PATH,
  OPERATIONS,
  type Attention,
  type LaneDetail,
  type LaneList,
  type RolloutDetail,
  type RolloutList,
} from '@nereid/api';
import { fullName } from '@nereid/contracts';
import { parseLaneName } from '@nereid/github';
import { Router, type Request, type Response } from 'express';
import { actorOf } from '../actions/actor-of.ts';
import type { Actor } from '../actions/buttons.ts';
import { isLocal, NOT_LOCAL } from '../access/is-local.ts';
import type { Context } from '../context.ts';
import type { Html } from '../html/html.ts';
import { AWAY, BAD_QUERY, withoutEmpty } from '../html/lists.ts';
import { sendMessage, type Message } from '../html/send-message.ts';
import { sendProblem } from '../html/send-problem.ts';
import { sitePage } from '../html/site.ts';
import { findRollout, listRollouts } from '../rollouts/find-rollouts.ts';
import { ROLLOUT_TO_TOP, rolloutsState, rolloutState } from '../rollouts/page.ts';
import { IN_LISTS_MS } from '../trail/day-cache.ts';
import { attentionBody, attentionOnly } from './attention-page.ts';
import { findLaneDetail } from './find-lane-detail.ts';
import { LANE_TO_TOP, laneBody, laneState } from './lane-page.ts';
import { lanesBody, lanesState } from './lanes-page.ts';
import { listLanes, type LanesQuery } from './list-lanes.ts';

type Answer<T> =
  { readonly kind: 'found'; readonly value: T } | { readonly kind: 'message'; readonly message: Message };

/** The same content as a page, as the part of it that its script asks for again, and as the API answers it. */
interface Shown<T> {
  page(value: T, actor: Actor | undefined): Html;
  state(value: T, actor: Actor | undefined): Html;
  api(value: T): object;
}

export function fleetRoutes(context: Context): Router {
  const router = Router({ strict: true });
  const { githubUrl } = context.links;

  function serve<T>(path: string, make: (request: Request) => Promise<Answer<T>>, as: Served<T>): void {
    router.get(path, async (request, response) => {
      const isAllowed = isLocal(context.access, request.headers.host);
      const made = isAllowed ? await make(request) : messageOf(NOT_LOCAL);
      if (made.kind === 'found') as.found(response, made.value, await actorOf(context, request));
      else as.not(response, made.message);
    });
  }

  function serveAll<T>(path: string, make: (request: Request) => Promise<Answer<T>>, shown: Shown<T>): void {
    const html = (of: (value: T, actor: Actor | undefined) => Html): Served<T> => ({
      found: (response, value, actor) => response.send(of(value, actor).markup),
      not: sendMessage,
    });
    const page = path === ATTENTION ? '/' : path;
    serve(
      page,
      make,
      html((value, actor) => shown.page(value, actor)),
    );
    serve(
      `${path}/fragment`,
      make,
      html((value, actor) => shown.state(value, actor)),
    );
    const found = (response: Response, value: T) => response.json(shown.api(value));
    serve(`${API_PATH}${path}`, make, { found, not: sendProblem });
  }

  /** While storage does not answer, nobody knows what is not there. */
  const orAway = async (message: Message) =>
    (await context.readFleet()).unavailable.includes('storage') ? AWAY : message;

  const lanes = async (request: Request): Promise<Answer<Lanes>> => {
    const query = OPERATIONS.listLanes.query.safeParse(withoutEmpty(request.query));
    if (!query.success) return messageOf(BAD_QUERY);
    const picture = await context.readFleet();
    const list = listLanes(picture, query.data, githubUrl);
    const repositories = [...new Set(picture.lanes.map(fullName))];
    return { kind: 'found', value: { list, query: query.data, repositories } };
  };

  const lane = async (request: Request): Promise<Answer<LaneDetail>> => {
    const { owner, name, root } = request.params;
    const query = OPERATIONS.getLane.query.safeParse(withoutEmpty(request.query));
    if (!query.success) return messageOf(BAD_QUERY);
    const wanted = parseLaneName(`${String(owner)}/${String(name)}/${String(root)}`);
    const found = wanted && (await findLaneDetail({ ...context, githubUrl }, wanted, query.data.at));
    return found ? { kind: 'found', value: found } : messageOf(await orAway(NO_LANE));
  };

  const attention = async (): Promise<Answer<Attention>> => {
    const list = listLanes(await context.readFleet(), { limit: Infinity }, githubUrl);
    const hosts = (await context.readHosts())?.items.filter(({ state }) => state === 'away');
    return { kind: 'found', value: { lanes: list, ...(hosts && { hosts }) } };
  };

  serveAll(ATTENTION, attention, {
    page: (found, actor) =>
      sitePage('', attentionBody(found, actor), {
        live: { fragment: 'attention/fragment', events: { kinds: 'lane,hosts,unavailable' } },
      }),
    state: attentionBody,
    api: attentionOnly,
  });
  serveAll('/lanes', lanes, {
    page: ({ list, query, repositories }) =>
      sitePage('lanes', lanesBody(list, query, repositories), {
        live: { fragment: 'lanes/fragment', events: { repository: query.repository, kinds: 'lane,unavailable' } },
      }),
    state: ({ list, query }) => lanesState(list, query),
    api: ({ list }) => list,
  });
  serveAll('/lanes/:owner/:name/:root', lane, {
    page: (found, actor) => {
      const { rootName: title, repository } = found;
      const live = { fragment: `${title}/fragment`, events: { repository, root: title, kinds: OF_DEPLOYMENTS } };
      return sitePage('lanes', laneBody(found, actor), { title, toTop: LANE_TO_TOP, live });
    },
    state: laneState,
    api: (found) => found,
  });
  const rolloutSources = () => ({ ...context, readEnded: context.trail.readEnded, githubUrl, nowMs: Date.now() });

  const rollouts = async (): Promise<Answer<RolloutList>> => {
    return { kind: 'found', value: await listRollouts(rolloutSources()) };
  };

  const rollout = async (request: Request): Promise<Answer<RolloutDetail>> => {
    const { owner, name, sha } = request.params;
    const found = await findRollout(rolloutSources(), `${String(owner)}/${String(name)}`, String(sha));
    return found ? { kind: 'found', value: found } : messageOf(await orAway(NO_ROLLOUT));
  };

  serveAll('/rollouts', rollouts, {
    page: (found) =>
      sitePage('rollouts', rolloutsState(found), {
        live: { fragment: 'rollouts/fragment', events: { kinds: OF_DEPLOYMENTS }, settledMs: IN_LISTS_MS },
      }),
    state: rolloutsState,
    api: (found) => found,
  });
  serveAll('/rollouts/:owner/:name/:sha', rollout, {
    page: (found) => {
      const { title, sha, repository } = found;
      const events = { repository, kinds: OF_DEPLOYMENTS };
      const live = { fragment: `${sha}/fragment`, events, settledMs: IN_LISTS_MS };
      return sitePage('rollouts', rolloutState(found), { title, toTop: ROLLOUT_TO_TOP, live });
    },
    state: rolloutState,
    api: (found) => found,
  });
  return router;
}

interface Served<T> {
  found(response: Response, value: T, actor: Actor | undefined): void;
  not(response: Response, message: Message): void;
}

interface Lanes {
  readonly list: LaneList;
  readonly query: LanesQuery;
  readonly repositories: readonly string[];
}

/** The page of it is the console's first. */
const ATTENTION = '/attention';

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
