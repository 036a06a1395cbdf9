/** The pages and the API of what happened and of who works: only for people on the console's own machine. */
import { API_PATH, OPERATIONS, openApi, type ActivityList, type HostList, type Insights } from '@nereid/api';
import { Router, type Request, type Response } from 'express';
import pMap from 'p-map';
import { isLocal, NOT_LOCAL } from '../access/is-local.ts';
import { EXPORT_FORMATS, EXPORT_HEADS, exportLine, type ExportFormat } from '../activity/export-activity.ts';
import { listActivity, type ActivityQuery } from '../activity/list-activity.ts';
import { activityBody, activityState } from '../activity/page.ts';
import type { Context } from '../context.ts';
import { sendMessage, type Message } from '../html/send-message.ts';
import { sendProblem } from '../html/send-problem.ts';
import type { Html } from '../html/html.ts';
import { AWAY, BAD_QUERY, withoutEmpty } from '../html/lists.ts';
import type { Live } from '../html/live.ts';
import { sitePage } from '../html/site.ts';
import { actorOf } from '../actions/actor-of.ts';
import type { Actor } from '../actions/buttons.ts';
import { hostsBody } from '../hosts/page.ts';
import { insightsBody, insightsState } from '../insights/page.ts';
import { daysOf, sumUp } from '../insights/sum-up.ts';
import { IN_LISTS_MS } from './day-cache.ts';

/** Of a bucket, this is far from what it allows; of a folder, more would not be faster. */
const DAYS_AT_ONCE = 8;

/** A spreadsheet takes a million rows; more is for whoever reads the storage itself. */
const EXPORT_LIMIT = 100_000;

const DOCUMENT = openApi();

/** The same content as a page, and as the part of it that its script asks for again. */
interface Shown<T> {
  readonly page: (found: T, request: Request, actor?: Actor) => Html;
  readonly state: (found: T, request: Request, actor?: Actor) => Html;
}

type Send = (response: Response, message: Message) => void;

export function trailRoutes(context: Context): Router {
  const router = Router();

  /** Answers with what `make` returns, or says why not. */
  async function answer<T>(
    request: Request,
    response: Response,
    send: { readonly problem: Send; readonly found: (found: T) => unknown },
    make: () => Promise<T | Message>,
  ): Promise<void> {
    if (!isLocal(context.access, request.headers.host)) {
      send.problem(response, NOT_LOCAL);
      return;
    }
    const found = await make().catch((err: unknown) => {
      context.logger.error({ err, path: request.path }, 'storage could not be read');
      return AWAY;
    });
    if (isMessage(found)) send.problem(response, found);
    else await send.found(found);
  }

  function json<T>(request: Request, response: Response, make: () => Promise<T | Message>): Promise<void> {
    return answer<T>(request, response, { problem: sendProblem, found: (found) => response.json(found) }, make);
  }

  const activity = async (query: ActivityQuery | undefined): Promise<ActivityList | Message> => {
    if (query === undefined) return BAD_QUERY;
    const canRead = () => Promise.resolve(true);
    const list = await listActivity(query, { readDay: context.trail.readActivity, canRead, nowMs: Date.now() });
    return list ?? BAD_QUERY;
  };

  const hosts = async (): Promise<HostList | Message> => (await context.readHosts()) ?? AWAY;

  const insights = async (request: Request) => {
    const query = OPERATIONS.getInsights.query.safeParse(withoutEmpty(request.query));
    if (!query.success) return BAD_QUERY;
    const period = { days: Number(query.data.days) as Insights['days'], nowMs: Date.now() }; // The schema has no others.
    const days = await pMap(daysOf(period), context.trail.readMeasured, { concurrency: DAYS_AT_ONCE });
    const all = days.flat();
    const { repository } = query.data;
    const wanted = repository === undefined ? all : all.filter((each) => each.repository === repository);
    const sums: Insights = { ...sumUp(wanted, period), ...(repository !== undefined && { repository }) };
    return { sums, repositories: [...new Set(all.map((each) => each.repository))].sort() };
  };

  router.get(`${API_PATH}/activity`, (request, response) => json(request, response, () => activity(queryOf(request))));
  router.get(`${API_PATH}/hosts`, (request, response) => json(request, response, hosts));
  router.get(`${API_PATH}/insights`, (request, response) =>
    json(request, response, async () => {
      const found = await insights(request);
      return isMessage(found) ? found : found.sums;
    }),
  );

  router.get(`${API_PATH}/openapi.json`, (request, response) =>
    json(request, response, () => Promise.resolve(DOCUMENT)),
  );

  function pages<T>(path: string, make: (request: Request) => Promise<T | Message>, shown: Shown<T>): void {
    const route = (at: string, of: Shown<T>['page']) =>
      router.get(at, (request, response) => {
        const found = async (value: T) => response.send(of(value, request, await actorOf(context, request)).markup);
        return answer<T>(request, response, { problem: sendMessage, found }, () => make(request));
      });
    route(path, shown.page);
    route(`${path}/fragment`, shown.state);
  }

  pages<ActivityList>('/activity', (request) => activity(queryOf(request)), {
    page: (list, request) => sitePage('activity', activityBody(list, asked(request)), { live: liveOf('activity') }),
    state: (list, request) => activityState(list, asked(request)),
  });
  for (const format of EXPORT_FORMATS) {
    router.get(`/activity.${format}`, (request, response) => {
      const query = queryOf(request);
      const found = (first: ActivityList) =>
        sendExport(response, format, first, (cursor) => activity({ ...query, cursor, limit: 500 }));
      return answer<ActivityList>(request, response, { problem: sendMessage, found }, () =>
        activity(query && { ...query, limit: 500 }),
      );
    });
  }
  pages<HostList>('/hosts', hosts, {
    page: (list, _request, actor) =>
      sitePage('hosts', hostsBody(list, actor), { live: { fragment: 'hosts/fragment', events: { kinds: 'hosts' } } }),
    state: (list, _request, actor) => hostsBody(list, actor),
  });
  pages<Exclude<Awaited<ReturnType<typeof insights>>, Message>>('/insights', insights, {
    page: ({ sums, repositories }) =>
      sitePage('insights', insightsBody(sums, repositories), { live: liveOf('insights') }),
    state: ({ sums }) => insightsState(sums),
  });
  return router;
}

function isMessage(found: unknown): found is Message {
  return found === AWAY || found === BAD_QUERY;
}

function queryOf(request: Request): ActivityQuery | undefined {
  const read = OPERATIONS.listActivity.query.safeParse(withoutEmpty(request.query));
  return read.success ? read.data : undefined;
}

/** What was understood of it, since there is an answer. */
function asked(request: Request): ActivityQuery {
  return queryOf(request) ?? { limit: 0 };
}

/** A page that is made of lists by day. */
function liveOf(page: 'activity' | 'insights'): Live {
  const events = { kinds: 'lane,deployment' };
  return { fragment: `${page}/fragment`, events, settledMs: IN_LISTS_MS };
}

const TYPES: Readonly<Record<ExportFormat, string>> = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl' };

/** Goes on from page to page. When a page fails, the connection breaks off, so that nobody takes the half for all. */
async function sendExport(
  response: Response,
  format: ExportFormat,
  first: ActivityList,
  more: (cursor: string) => Promise<ActivityList | Message>,
): Promise<void> {
  response.set({ 'content-type': TYPES[format], 'content-disposition': `attachment; filename="activity.${format}"` });
  response.write(EXPORT_HEADS[format]);
  let sent = 0;
  for (let page: ActivityList | Message = first; ;) {
    if (isMessage(page)) {
      response.destroy();
      return;
    }
    response.write(page.items.map((entry) => exportLine(entry, format)).join(''));
    sent += page.items.length;
    if (page.next === undefined || sent >= EXPORT_LIMIT || response.closed) break;
    page = await more(page.next).catch(() => AWAY);
  }
  response.end();
}
