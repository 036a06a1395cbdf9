/** The pages and the API of what happened and of who works, each person's own: what they may not see is not there. */
import { API_PATH, OPERATIONS, openApi, type ActivityList, type HostList, type Insights } from '@nereid/api';
import { Router, type Request, type Response } from 'express';
import { readingOf, type Reader } from '../access/reading.ts';
import { sendRefusal } from '../access/send-refusal.ts';
import { sightOf, type Sight } from '../access/sight.ts';
import { EXPORT_FORMATS } from '../activity/export-activity.ts';
import { listActivity, type ActivityQuery } from '../activity/list-activity.ts';
import { activityBody, activityState } from '../activity/page.ts';
import { sendExport } from '../activity/send-export.ts';
import { documentBody } from '../api/document-page.ts';
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
import { withRuns } from '../hosts/list-hosts.ts';
import { hostsBody } from '../hosts/page.ts';
import { createPatience } from '../in-time.ts';
import { createAnswerInsights, type AnsweredInsights } from '../insights/answer-insights.ts';
import { insightsBody, insightsState } from '../insights/page.ts';
import { untilGone } from '../streams/event-stream.ts';
import { watchReader } from '../streams/watch-reader.ts';
import { IN_LISTS_MS } from './day-cache.ts';
import { createPatientDays, patientTrail, type PatientDays } from './patient-days.ts';
import type { ReadParts } from './day-cache.ts';

const DOCUMENT = openApi();
const API_PAGE = documentBody(DOCUMENT);

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

type Make<T> = (reader: Reader, request: Request) => Promise<T | Message>;

export function trailRoutes(context: Context): Router {
  const router = Router();
  const { logger } = context;
  const answerInsights = createAnswerInsights();

  /** Answers with what `make` returns, or says why not. */
  async function answer<T>(
    request: Request,
    response: Response,
    send: { readonly problem: Send; readonly found: (found: T, who: Who | undefined) => unknown },
    make: Make<T>,
  ): Promise<void> {
    const reading = await readingOf(context, request);
    if (reading.kind === 'refused') {
      sendRefusal(request, response, reading);
      return;
    }
    const found = await make(reading.reader, request);
    if (isMessage(found)) send.problem(response, found);
    else await send.found(found, await whoLooks(context, request));
  }

  function json<T>(request: Request, response: Response, make: Make<T>): Promise<void> {
    return answer<T>(request, response, { problem: sendProblem, found: (found) => response.json(found) }, make);
  }

  /** Each answer has its own patience with storage. */
  function daysFor<T>(
    reader: Reader,
    readDayOf: (sight: Sight) => ReadParts<T>,
  ): { readonly days: PatientDays<T>; readonly sight: Sight } {
    const patience = createPatience(context.patienceMs);
    const sight = sightOf({ ...context, trail: patientTrail(context.trail, patience) }, reader);
    return { days: createPatientDays(readDayOf(sight), { patience, logger }), sight };
  }

  async function activityOf(reader: Reader, query: ActivityQuery | undefined): Promise<ActivityList | Message> {
    if (query === undefined) return BAD_QUERY;
    const { days, sight } = daysFor(reader, ({ readActivity }) => readActivity);
    const { maySee: canRead, isInsider } = sight;
    const list = await listActivity(query, { days, canRead, isInsider, nowMs: Date.now() });
    if (list === undefined) return BAD_QUERY;
    return list.items.length === 0 && list.missing.length > 0 ? AWAY : list;
  }

  const activity: Make<ActivityList> = (reader, request) => activityOf(reader, queryOf(request));

  const hosts: Make<HostList> = async (reader) => {
    const { isInsider, readFleet } = sightOf(context, reader);
    if (!(await isInsider())) return NO_PAGE;
    const known = await context.readHosts();
    return known === undefined ? AWAY : withRuns(known, await readFleet());
  };

  const insights: Make<AnsweredInsights> = async (reader, request) => {
    const query = readQuery(OPERATIONS.getInsights.query, request);
    if (query.kind === 'message') return BAD_QUERY;
    const { days, sight } = daysFor(reader, ({ readSums }) => readSums);
    const { seenAmong } = sight;
    const { repository } = query.value;
    const period = { days: Number(query.value.days) as Insights['days'], nowMs: Date.now() }; // The schema has no others.
    return (await answerInsights({ ...period, repository }, { days, seenAmong })) ?? AWAY;
  };

  router.get(`${API_PATH}/activity`, (request, response) => json(request, response, activity));
  router.get(`${API_PATH}/hosts`, (request, response) => json(request, response, hosts));
  router.get(`${API_PATH}/insights`, (request, response) =>
    json(request, response, async (reader) => {
      const found = await insights(reader, request);
      return isMessage(found) ? found : found.insights;
    }),
  );

  router.get(`${API_PATH}/openapi.json`, (request, response) =>
    json(request, response, () => Promise.resolve(DOCUMENT)),
  );

  router.get('/api', (request, response) =>
    answer(
      request,
      response,
      { problem: sendMessage, found: (body, who) => response.send(sitePage('api', body, { who }).markup) },
      () => Promise.resolve(API_PAGE),
    ),
  );

  function pages<T>(path: string, make: Make<T>, shown: Shown<T>): void {
    const route = (at: string, of: Shown<T>['page']) =>
      router.get(at, (request, response) => {
        const found = async (value: T, who: Who | undefined) => {
          const actor = await actorOf(context, request);
          response.send(of(value, request, { who, actor }).markup);
        };
        return answer<T>(request, response, { problem: sendMessage, found }, make);
      });
    route(path, shown.page);
    route(`${path}/fragment`, shown.state);
  }

  pages<ActivityList>('/activity', activity, {
    page: (list, request, { who }) =>
      sitePage('activity', activityBody(list, asked(request)), { live: liveOf('activity'), who }),
    state: (list, request) => activityState(list, asked(request)),
  });
  for (const format of EXPORT_FORMATS) {
    router.get(`/activity.${format}`, (request, response) => {
      const clientGone = untilGone(request, response, context.stopping.signal);
      const query = queryOf(request);
      const pageFrom = (reader: Reader, cursor: string | undefined) =>
        activityOf(reader, query && { ...query, cursor, limit: EXPORT_PAGE });
      interface First {
        readonly list: ActivityList;
        readonly reader: Reader;
      }
      const found = async ({ list: first, reader }: First) => {
        const watch = watchReader(context, request);
        const signal = AbortSignal.any([clientGone, watch.gone]);
        try {
          await sendExport(response, { format, first, more: (cursor) => pageFrom(reader, cursor), signal });
        } finally {
          watch.stop();
        }
      };
      return answer<First>(request, response, { problem: sendMessage, found }, async (reader) => {
        const list = await pageFrom(reader, query?.cursor);
        if (isMessage(list)) return list;
        // Nothing is sent yet, so it can still be said.
        return list.missing.length > 0 ? AWAY : { list, reader };
      });
    });
  }
  /** Its buttons are for operators. */
  const operator = (actor: Actor | undefined) => (actor && context.hostRights.mayDrain(actor) ? actor : undefined);

  pages<HostList>('/hosts', hosts, {
    page: (list, _request, { who, actor }) => {
      const live = { fragment: 'hosts/fragment', events: { kinds: 'hosts' } };
      return sitePage('hosts', hostsBody(list, operator(actor)), { live, who });
    },
    state: (list, _request, { actor }) => hostsBody(list, operator(actor)),
  });
  pages<AnsweredInsights>('/insights', insights, {
    page: ({ insights: found, repositories }, _request, { who }) =>
      sitePage('insights', insightsBody(found, repositories), { live: liveOf('insights'), who }),
    state: ({ insights: found }) => insightsState(found),
  });
  return router;
}

/** As many as one answer of the API has at most. */
const EXPORT_PAGE = 500;

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
