/** The pages and the API of what happened and of who works, each person's own: what they may not see is not there. */
import { API_PATH, OPERATIONS, openApi, type ActivityList, type HostList, type Insights } from '@nereid/api';
import { Router, type Request, type Response } from 'express';
import pMap from 'p-map';
import { AccessUnknownError } from '../access/access-unknown.ts';
import { readingOf } from '../access/reading.ts';
import { sendRefusal } from '../access/send-refusal.ts';
import { sightOf, type Sight } from '../access/sight.ts';
import { EXPORT_FORMATS, EXPORT_HEADS, exportLine, type ExportFormat } from '../activity/export-activity.ts';
import { listActivity, type ActivityQuery } from '../activity/list-activity.ts';
import { activityBody, activityState } from '../activity/page.ts';
import type { Context } from '../context.ts';
import { sendMessage, type Message } from '../html/send-message.ts';
import { sendProblem } from '../html/send-problem.ts';
import type { Html } from '../html/html.ts';
import { AWAY, BAD_QUERY, NO_PAGE, readQuery } from '../html/lists.ts';
import type { Live } from '../html/live.ts';
import { sitePage } from '../html/site.ts';
import { actorOf } from '../actions/actor-of.ts';
import type { Actor } from '../actions/buttons.ts';
import type { Who } from '../html/who.ts';
import { whoLooks } from '../login/who-looks.ts';
import { hostsBody } from '../hosts/page.ts';
import { inTime } from '../in-time.ts';
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
  readonly page: (found: T, request: Request, looks: Looks) => Html;
  readonly state: (found: T, request: Request, looks: Looks) => Html;
}

/** Who looks at the page, and for whom it has buttons. */
interface Looks {
  readonly who: Who | undefined;
  readonly actor: Actor | undefined;
}

type Send = (response: Response, message: Message) => void;

export function trailRoutes(context: Context): Router {
  const router = Router();

  /** Answers with what `make` returns, or says why not. */
  async function answer<T>(
    request: Request,
    response: Response,
    send: { readonly problem: Send; readonly found: (found: T, who: Who | undefined) => unknown },
    make: (sight: Sight) => Promise<T | Message>,
  ): Promise<void> {
    const reading = await readingOf(context, request);
    if (reading.kind === 'refused') {
      sendRefusal(request, response, reading);
      return;
    }
    const found = await make(sightOf(context, reading.reader)).catch((err: unknown) => {
      if (err instanceof AccessUnknownError) throw err;
      context.logger.error({ err, path: request.path }, 'storage could not be read');
      return AWAY;
    });
    if (isMessage(found)) send.problem(response, found);
    else await send.found(found, await whoLooks(context, request));
  }

  function json<T>(request: Request, response: Response, make: (sight: Sight) => Promise<T | Message>): Promise<void> {
    return answer<T>(request, response, { problem: sendProblem, found: (found) => response.json(found) }, make);
  }

  const activity = async (query: ActivityQuery | undefined, sight: Sight): Promise<ActivityList | Message> => {
    if (query === undefined) return BAD_QUERY;
    const { maySee: canRead, isInsider, readActivity: readDay } = sight;
    const list = await listActivity(query, { readDay, canRead, isInsider, nowMs: Date.now() });
    return list ?? BAD_QUERY;
  };

  const hosts = async ({ isInsider }: Sight): Promise<HostList | Message> =>
    (await isInsider()) ? ((await context.readHosts()) ?? AWAY) : NO_PAGE;

  const insights = async (request: Request, sight: Sight) => {
    const query = readQuery(OPERATIONS.getInsights.query, request);
    if (query.kind === 'message') return BAD_QUERY;
    const period = { days: Number(query.value.days) as Insights['days'], nowMs: Date.now() }; // The schema has no others.
    const read = pMap(daysOf(period), (day) => sight.readMeasured(day), { concurrency: DAYS_AT_ONCE });
    const days = await inTime(read, context.patienceMs);
    const all = days.flat();
    const { repository } = query.value;
    const wanted = repository === undefined ? all : all.filter((each) => each.repository === repository);
    const sums: Insights = { ...sumUp(wanted, period), ...(repository !== undefined && { repository }) };
    return { sums, repositories: [...new Set(all.map((each) => each.repository))].sort() };
  };

  router.get(`${API_PATH}/activity`, (request, response) =>
    json(request, response, (sight) => activity(queryOf(request), sight)),
  );
  router.get(`${API_PATH}/hosts`, (request, response) => json(request, response, hosts));
  router.get(`${API_PATH}/insights`, (request, response) =>
    json(request, response, async (sight) => {
      const found = await insights(request, sight);
      return isMessage(found) ? found : found.sums;
    }),
  );

  router.get(`${API_PATH}/openapi.json`, (request, response) =>
    json(request, response, () => Promise.resolve(DOCUMENT)),
  );

  type Make<T> = (request: Request, sight: Sight) => Promise<T | Message>;

  function pages<T>(path: string, make: Make<T>, shown: Shown<T>): void {
    const route = (at: string, of: Shown<T>['page']) =>
      router.get(at, (request, response) => {
        const found = async (value: T, who: Who | undefined) => {
          const actor = await actorOf(context, request);
          response.send(of(value, request, { who, actor }).markup);
        };
        return answer<T>(request, response, { problem: sendMessage, found }, (sight) => make(request, sight));
      });
    route(path, shown.page);
    route(`${path}/fragment`, shown.state);
  }

  pages<ActivityList>('/activity', (request, sight) => activity(queryOf(request), sight), {
    page: (list, request, { who }) =>
      sitePage('activity', activityBody(list, asked(request)), { live: liveOf('activity'), who }),
    state: (list, request) => activityState(list, asked(request)),
  });
  for (const format of EXPORT_FORMATS) {
    router.get(`/activity.${format}`, (request, response) => {
      const query = queryOf(request);
      interface First {
        readonly list: ActivityList;
        readonly sight: Sight;
      }
      const found = ({ list, sight }: First) =>
        sendExport(response, format, list, (cursor) => activity({ ...query, cursor, limit: 500 }, sight));
      return answer<First>(request, response, { problem: sendMessage, found }, async (sight) => {
        const list = await activity(query && { ...query, limit: 500 }, sight);
        return isMessage(list) ? list : { list, sight };
      });
    });
  }
  /** Its buttons are for operators. */
  const operator = (actor: Actor | undefined) => (actor && context.hostRights.mayDrain(actor) ? actor : undefined);

  pages<HostList>('/hosts', (_request, sight) => hosts(sight), {
    page: (list, _request, { who, actor }) => {
      const live = { fragment: 'hosts/fragment', events: { kinds: 'hosts' } };
      return sitePage('hosts', hostsBody(list, operator(actor)), { live, who });
    },
    state: (list, _request, { actor }) => hostsBody(list, operator(actor)),
  });
  pages<Exclude<Awaited<ReturnType<typeof insights>>, Message>>('/insights', insights, {
    page: ({ sums, repositories }, _request, { who }) =>
      sitePage('insights', insightsBody(sums, repositories), { live: liveOf('insights'), who }),
    state: ({ sums }) => insightsState(sums),
  });
  return router;
}

function isMessage(found: unknown): found is Message {
  return found === AWAY || found === BAD_QUERY || found === NO_PAGE;
}

function queryOf(request: Request): ActivityQuery | undefined {
  const query = readQuery(OPERATIONS.listActivity.query, request);
  return query.kind === 'found' ? query.value : undefined;
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
