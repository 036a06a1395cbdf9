/** The first page, and the pages and the API of all lanes, each person's own: what they may not see is not there. */
import { OPERATIONS, type LaneDetail, type LaneList, type LaneWaits } from '@nereid/api';
import { parseLaneName } from '@nereid/domain/console';
import { fullName } from '@nereid/domain/root';
import type { Pages } from '@nereid/forge';
import { Router } from 'express';
import type { Logger } from 'pino';
import { createServeReaders, type Find, type Found, type ReaderSources } from '../access/serve-readers.ts';
import type { ReadProgress } from '../fleet/read-waits.ts';
import type { ReadHosts } from '../hosts/read-hosts.ts';
import { lanesPath } from '../platform/html/paths.ts';
import { sitePage } from '../platform/html/site.ts';
import { AWAY, BAD_QUERY, readQuery } from '../platform/http/lists.ts';
import type { Message } from '../platform/http/send-message.ts';
import { listRollouts } from '../rollouts/find-rollouts.ts';
import { decodePlace } from '../trail/place-cursor.ts';
import { attentionBody, attentionOnly, type ShownAttention } from './attention-page.ts';
import { findLaneDetail } from './lane/find-lane-detail.ts';
import { findLaneWaits, type WaitSources } from './lane/find-lane-waits.ts';
import type { LaneHistory } from './lane/lane-history.ts';
import { LANE_TO_TOP, laneBody, laneState } from './lane/lane-page.ts';
import { lanesBody, lanesState } from './lanes-page.ts';
import { listLanes, type LanesQuery } from './list-lanes.ts';

export interface LaneRouteSources extends ReaderSources, Omit<WaitSources, 'readFleet' | 'readStops' | 'forgePages'> {
  readonly readHosts: ReadHosts;
  readonly readProgress: ReadProgress;
  readonly laneHistory: LaneHistory;
  readonly links: { readonly forgePages: Pages };
  /** How long a page waits for storage, in milliseconds. */
  readonly patienceMs: number;
  readonly logger: Pick<Logger, 'warn'>;
}

export function laneRoutes(sources: LaneRouteSources): Router {
  const router = Router({ strict: true });
  const serve = createServeReaders(sources, router);
  const { forgePages } = sources.links;

  /** While storage does not answer, nobody knows what is not there. */
  const absence = async (): Promise<Message> =>
    (await sources.readFleet()).unavailable.includes('storage') ? AWAY : NO_LANE;

  const attention: Find<ShownAttention> = async ({ sight }) => {
    const list = listLanes(await sight.readFleet(), { limit: Infinity }, forgePages);
    const hosts = (await sight.isInsider()) ? (await sources.readHosts())?.list.items : [];
    const away = hosts?.filter(({ state }) => state === 'away');
    const { items: rollouts } = await listRollouts({ ...sources, ...sight, forgePages, nowMs: Date.now() });
    const found = { lanes: list, ...(away && { hosts: away }), rollouts };
    return { kind: 'found', value: { ...found, mayAskDoctor: sight.mayAskDoctor() } };
  };

  const lanes: Find<Lanes> = async ({ request, sight }) => {
    const query = readQuery(OPERATIONS.listLanes.query, request);
    if (query.kind === 'message') return query;
    const { cursor } = query.value;
    if (cursor !== undefined && parseLaneName(cursor) === undefined) return messageOf(BAD_QUERY);
    const picture = await sight.readFleet();
    const list = listLanes(picture, query.value, forgePages);
    const repositories = [...new Set(picture.lanes.map(fullName))];
    return { kind: 'found', value: { list, query: query.value, repositories } };
  };

  const lane: Find<LaneDetail> = async ({ request, sight }) => {
    const { owner, name, root } = request.params;
    const query = readQuery(OPERATIONS.getLane.query, request);
    if (query.kind === 'message') return query;
    const { at, cursor, limit } = query.value;
    const place = cursor === undefined ? undefined : decodePlace(cursor);
    if (cursor !== undefined && place === undefined) return messageOf(BAD_QUERY);
    const before = place && { endedAt: place.at, id: place.id };
    const wanted = parseLaneName(`${String(owner)}/${String(name)}/${String(root)}`);
    const found = wanted && (await findLaneDetail({ ...sources, ...sight, forgePages }, wanted, { at, before, limit }));
    return found ? { kind: 'found', value: found } : messageOf(await absence());
  };

  serve.api('/attention', attention, attentionOnly);
  serve.page('/', attention, (found, { actor, who, stops }) => {
    const live = { fragment: 'attention/fragment', events: { kinds: 'lane,hosts,unavailable' } };
    return sitePage('', attentionBody(found, stops, actor), { live, who });
  });
  serve.page('/attention/fragment', attention, (found, { actor, stops }) => attentionBody(found, stops, actor));
  serve.api('/lanes', lanes, ({ list }) => list);
  serve.pages('/lanes', lanes, {
    page: ({ list, query, repositories }, { who, stops }) => {
      const events = { repository: query.repository, kinds: 'lane,unavailable' };
      const live = { fragment: 'lanes/fragment', events };
      return sitePage('lanes', lanesBody({ list, query, repositories, stops }), { live, who });
    },
    state: ({ list, query }, { stops }) => lanesState({ list, query, stops }),
  });
  serve.api(LANE, lane, (found) => found);
  serve.api(`${LANE}/waits`, findWaits(sources, absence), (found) => found);
  serve.pages(LANE, lane, {
    page: (found, { actor, who, stops }) => {
      const { rootName: title, repository } = found;
      const events = { repository, root: title, kinds: 'lane,deployment,unavailable' };
      const live = { fragment: `${title}/fragment`, events };
      return sitePage('lanes', laneBody(found, stops, actor), {
        ...{ title, toTop: LANE_TO_TOP, live, who },
        place: [{ text: repository, path: lanesPath(repository) }, { text: title }],
      });
    },
    state: (found, { actor, stops }) => laneState(found, stops, actor),
  });
  return router;
}

function findWaits(sources: LaneRouteSources, absence: () => Promise<Message>): Find<LaneWaits> {
  const { forgePages } = sources.links;
  return async ({ request, sight }) => {
    const { owner, name, root } = request.params;
    const wanted = parseLaneName(`${String(owner)}/${String(name)}/${String(root)}`);
    const found = wanted && (await findLaneWaits({ ...sources, ...sight, forgePages }, wanted, Date.now()));
    return found ? { kind: 'found', value: found } : messageOf(await absence());
  };
}

const LANE = '/lanes/:owner/:name/:root';

interface Lanes {
  readonly list: LaneList;
  readonly query: LanesQuery;
  readonly repositories: readonly string[];
}

function messageOf(message: Message): Found<never> {
  return { kind: 'message', message };
}

const NO_LANE: Message = {
  status: 404,
  title: 'Not found',
  sentence: 'There is no such lane: nothing was ever deployed to a root of this name.',
};
