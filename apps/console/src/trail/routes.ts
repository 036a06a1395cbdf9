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
import { activityBody } from '../activity/page.ts';
import type { Context } from '../context.ts';
import { sendMessage, type Message } from '../html/send-message.ts';
import { sendProblem } from '../html/send-problem.ts';
import { AWAY, BAD_QUERY, withoutEmpty } from '../html/lists.ts';
import { sitePage } from '../html/site.ts';
import type { Who } from '../html/who.ts';
import { whoLooks } from '../login/who-looks.ts';
import { hostSummaryOf, inOrder } from '../hosts/host-summary.ts';
import { hostsBody } from '../hosts/page.ts';
import { insightsBody } from '../insights/page.ts';
import { daysOf, sumUp } from '../insights/sum-up.ts';

/** Of a bucket, this is far from what it allows; of a folder, more would not be faster. */
const DAYS_AT_ONCE = 8;

/** A spreadsheet takes a million rows; more is for whoever reads the storage itself. */
const EXPORT_LIMIT = 100_000;

const DOCUMENT = openApi();

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
    if (reading.kind === 'refused') return sendRefusal(request, response, reading);
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
    const { maySee: canRead } = sight;
    const list = await listActivity(query, { readDay: (day) => sight.readActivity(day), canRead, nowMs: Date.now() });
    return list ?? BAD_QUERY;
  };

  const hosts = async (): Promise<HostList> => {
    const records = await context.hostRecords.list();
    return { items: [...inOrder(records.map((record) => hostSummaryOf(record, Date.now())))] };
  };

  const insights = async (request: Request, sight: Sight) => {
    const query = OPERATIONS.getInsights.query.safeParse(withoutEmpty(request.query));
    if (!query.success) return BAD_QUERY;
    const period = { days: Number(query.data.days) as Insights['days'], nowMs: Date.now() }; // The schema has no others.
    const days = await pMap(daysOf(period), (day) => sight.readMeasured(day), { concurrency: DAYS_AT_ONCE });
    const all = days.flat();
    const { repository } = query.data;
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

  router.get('/activity', (request, response) => {
    const query = queryOf(request);
    const found = (list: ActivityList, who: Who | undefined) =>
      response.send(sitePage('activity', activityBody(list, query ?? { limit: 0 }), { who }).markup);
    return answer<ActivityList>(request, response, { problem: sendMessage, found }, (sight) =>
      activity(query, sight),
    );
  });
  for (const format of EXPORT_FORMATS) {
    router.get(`/activity.${format}`, (request, response) => {
      const query = queryOf(request);
      type First = { readonly list: ActivityList; readonly sight: Sight };
      const found = ({ list, sight }: First) =>
        sendExport(response, format, list, (cursor) => activity({ ...query, cursor, limit: 500 }, sight));
      return answer<First>(request, response, { problem: sendMessage, found }, async (sight) => {
        const list = await activity(query && { ...query, limit: 500 }, sight);
        return isMessage(list) ? list : { list, sight };
      });
    });
  }
  router.get('/hosts', (request, response) => {
    const found = (list: HostList, who: Who | undefined) =>
      response.send(sitePage('hosts', hostsBody(list), { who }).markup);
    return answer<HostList>(request, response, { problem: sendMessage, found }, hosts);
  });
  router.get('/insights', (request, response) => {
    type Found = Exclude<Awaited<ReturnType<typeof insights>>, Message>;
    const found = ({ sums, repositories }: Found, who: Who | undefined) =>
      response.send(sitePage('insights', insightsBody(sums, repositories), { who }).markup);
    return answer<Found>(request, response, { problem: sendMessage, found }, (sight) => insights(request, sight));
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
