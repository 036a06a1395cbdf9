/** The page and the API of what deployments add up to, of the repositories that a person may see. */
import { OPERATIONS, type Insights } from '@nereid/api';
import { Router } from 'express';
import { daysInSight, type DaysInSightSources } from '../access/patient-days.ts';
import { createServeReaders, type Find, type ReaderSources } from '../access/serve-readers.ts';
import type { Live } from '../platform/html/live.ts';
import { sitePage } from '../platform/html/site.ts';
import { AWAY, BAD_QUERY, readQuery } from '../platform/http/lists.ts';
import { IN_LISTS_MS } from '../trail/day-cache.ts';
import { createAnswerInsights, type AnsweredInsights } from './answer-insights.ts';
import { insightsBody, insightsState } from './page.ts';

export interface InsightsRouteSources extends ReaderSources, DaysInSightSources {}

export function insightsRoutes(sources: InsightsRouteSources): Router {
  const router = Router();
  const serve = createServeReaders(sources, router);
  const answerInsights = createAnswerInsights();

  const insights: Find<AnsweredInsights> = async ({ reader, request }) => {
    const query = readQuery(OPERATIONS.getInsights.query, request);
    if (query.kind === 'message') return { kind: 'message', message: BAD_QUERY };
    const { days, sight } = daysInSight(sources, reader, ({ readSums }) => readSums);
    const { seenAmong } = sight;
    const { repository } = query.value;
    const period = { days: Number(query.value.days) as Insights['days'], nowMs: Date.now() }; // The schema has no others.
    const answered = await answerInsights({ ...period, repository }, { days, seenAmong });
    return answered === undefined ? { kind: 'message', message: AWAY } : { kind: 'found', value: answered };
  };

  serve.api('/insights', insights, (found) => found.insights);
  serve.pages('/insights', insights, {
    page: ({ insights: found, repositories }, { who }) =>
      sitePage('insights', insightsBody(found, repositories), { live: LIVE, who }),
    state: ({ insights: found }) => insightsState(found),
  });
  return router;
}

/** A page that is made of lists by day. */
const LIVE: Live = { fragment: 'insights/fragment', events: { kinds: 'lane,deployment' }, settledMs: IN_LISTS_MS };
