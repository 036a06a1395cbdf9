/** The pages, files and API of what happened, each person's own: what they may not see is not there. */
import { OPERATIONS, type ActivityList } from '@nereid/api';
import { Router, type Request } from 'express';
import { daysInSight, type DaysInSightSources } from '../access/patient-days.ts';
import type { Reader } from '../access/reading.ts';
import { createServeReaders, type Find, type Found, type ReaderSources } from '../access/serve-readers.ts';
import { watchReader, type ReaderWatchSources } from '../access/watch-reader.ts';
import type { Live } from '../platform/html/live.ts';
import { sitePage } from '../platform/html/site.ts';
import { AWAY, BAD_QUERY, readQuery } from '../platform/http/lists.ts';
import { untilGone } from '../platform/streams/event-stream.ts';
import { IN_LISTS_MS } from '../trail/day-cache.ts';
import { EXPORT_FORMATS } from './export-activity.ts';
import { listActivity, type ActivityQuery } from './list-activity.ts';
import { activityBody, activityState } from './page.ts';
import { sendExport } from './send-export.ts';

export interface ActivityRouteSources extends ReaderSources, DaysInSightSources, ReaderWatchSources {
  readonly logger: ReaderWatchSources['logger'];
  /** Aborted when the console stops. */
  readonly stopping: AbortController;
}

export function activityRoutes(sources: ActivityRouteSources): Router {
  const router = Router();
  const serve = createServeReaders(sources, router);

  async function activityOf(reader: Reader, query: ActivityQuery | undefined): Promise<Found<ActivityList>> {
    if (query === undefined) return { kind: 'message', message: BAD_QUERY };
    const { days, sight } = daysInSight(sources, reader, ({ readActivity }) => readActivity);
    const { maySee: canRead, isInsider } = sight;
    const list = await listActivity(query, { days, canRead, isInsider, nowMs: Date.now() });
    if (list === undefined) return { kind: 'message', message: BAD_QUERY };
    const isNothingKnown = list.items.length === 0 && list.missing.length > 0;
    return isNothingKnown ? { kind: 'message', message: AWAY } : { kind: 'found', value: list };
  }

  const activity: Find<ActivityList> = ({ reader, request }) => activityOf(reader, queryOf(request));

  serve.api('/activity', activity, (list) => list);
  serve.pages('/activity', activity, {
    page: (list, { who }, request) => sitePage('activity', activityBody(list, asked(request)), { live: LIVE, who }),
    state: (list, _looks, request) => activityState(list, asked(request)),
  });
  for (const format of EXPORT_FORMATS) {
    const pageFrom = (reader: Reader, request: Request, cursor: string | undefined) => {
      const query = queryOf(request);
      return activityOf(reader, query && { ...query, cursor, limit: EXPORT_PAGE });
    };
    const first: Find<First> = async ({ reader, request }) => {
      const found = await pageFrom(reader, request, queryOf(request)?.cursor);
      if (found.kind === 'message') return found;
      // Nothing is sent yet, so it can still be said.
      if (found.value.missing.length > 0) return { kind: 'message', message: AWAY };
      return { kind: 'found', value: { list: found.value, reader } };
    };
    serve.send(`/activity.${format}`, first, async ({ list, reader }, request, response) => {
      const watch = watchReader(sources, request);
      const clientGone = untilGone(request, response, sources.stopping.signal);
      const signal = AbortSignal.any([clientGone, watch.gone]);
      const more = async (cursor: string) => {
        const found = await pageFrom(reader, request, cursor);
        return found.kind === 'found' ? found.value : found.message;
      };
      try {
        await sendExport(response, { format, first: list, more, signal });
      } finally {
        watch.stop();
      }
    });
  }
  return router;
}

/** The beginning of a file, and whose it is. */
interface First {
  readonly list: ActivityList;
  readonly reader: Reader;
}

/** As many as one answer of the API has at most. */
const EXPORT_PAGE = 500;

/** A page that is made of lists by day. */
const LIVE: Live = { fragment: 'activity/fragment', events: { kinds: 'lane,deployment' }, settledMs: IN_LISTS_MS };

function queryOf(request: Request): ActivityQuery | undefined {
  const query = readQuery(OPERATIONS.listActivity.query, request);
  return query.kind === 'found' ? query.value : undefined;
}

/** What was understood of it, since there is an answer. */
function asked(request: Request): ActivityQuery {
  return queryOf(request) ?? { limit: 0 };
}
