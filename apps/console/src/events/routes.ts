/** `GET /api/v1/events`: what changes, as server-sent events. */
import { randomInt } from 'node:crypto';
import { API_PATH, EVENT_STREAM } from '@nereid/api';
import { Router, type Request, type Response } from 'express';
import type { z } from 'zod';
import { maySeeChanges } from '../access/may-see-changes.ts';
import { readingOf, type Refusal } from '../access/reading.ts';
import { sendRefusal } from '../access/send-refusal.ts';
import { watchReader, type ReaderWatchSources } from '../access/watch-reader.ts';
import {
  DEPLOYMENT_NOT_SHOWN,
  laneOf,
  findVisibleDeployment,
  type VisibleDeploymentSources,
} from '../deployments/find-visible-deployment.ts';
import { holdersOf } from '../login/visitor/holders-of.ts';
import { BAD_QUERY, withoutEmpty } from '../platform/http/lists.ts';
import { sendProblem } from '../platform/http/send-problem.ts';
import { refuseStream, type StreamSlots } from '../platform/limits/stream-slots.ts';
import { openEventStream, untilGone } from '../platform/streams/event-stream.ts';
import type { FindPullRequest } from '../pulls/find-pull-request.ts';
import { findVisiblePullRequest, PULL_REQUEST_NOT_SHOWN } from '../pulls/find-visible-pull-request.ts';
import { sendChanges } from './send-changes.ts';
import { wantedOf, type Wanted } from './wanted.ts';
import type { Watch } from './watch.ts';
import type { Watches } from './watches.ts';

export interface EventRouteSources extends VisibleDeploymentSources, ReaderWatchSources {
  readonly logger: VisibleDeploymentSources['logger'];
  readonly findPullRequest: FindPullRequest;
  readonly watches: Watches;
  readonly streams: StreamSlots;
  /** Aborted when the console stops. */
  readonly stopping: AbortController;
}

/** After a restart, not all come back at the same moment. */
const RETRY_MS = { least: 1_000, most: 4_000 };

/** Then a client comes back, and shows once more who it is: with another cookie, for sessions go on elsewhere. */
const LOGIN_MS = 10 * 60_000;

export function eventRoutes(sources: EventRouteSources): Router {
  const router = Router();

  router.get(API_PATH + EVENT_STREAM.path, async (request, response) => {
    const query = EVENT_STREAM.query.safeParse(withoutEmpty(request.query));
    const wanted = query.success ? wantedOf(query.data) : undefined;
    if (!query.success || wanted === undefined) {
      sendProblem(response, BAD_QUERY);
      return;
    }
    const visit: Visit = { request, response, query: query.data, wanted };
    const refusal = await refusalOf(sources, visit);
    if (refusal === undefined) await streamTo(sources, visit);
    else sendRefusal(request, response, refusal);
  });
  return router;
}

interface Visit {
  readonly request: Request;
  readonly response: Response;
  readonly query: z.infer<typeof EVENT_STREAM.query>;
  readonly wanted: Wanted;
}

/** Undefined for those who may have the stream. Each event is decided upon once more. */
async function refusalOf(sources: EventRouteSources, { request, wanted, query }: Visit): Promise<Refusal | undefined> {
  switch (wanted.kind) {
    case 'fleet': {
      const reading = await readingOf(sources, request);
      return reading.kind === 'refused' ? reading : undefined;
    }
    case 'deployment': {
      const found = await findVisibleDeployment(sources, request, { id: wanted.id, lane: query.lane });
      if (found.kind === 'found') return undefined;
      return found.kind === 'refused' ? found : { kind: 'refused', message: DEPLOYMENT_NOT_SHOWN[found.kind] };
    }
    case 'pull-request': {
      const found = await findVisiblePullRequest(sources, request, wanted.pull);
      if (found.kind === 'found') return undefined;
      return found.kind === 'refused' ? found : { kind: 'refused', message: PULL_REQUEST_NOT_SHOWN[found.kind] };
    }
  }
}

async function streamTo(sources: EventRouteSources, visit: Visit): Promise<void> {
  const { request, response, query, wanted } = visit;
  const maySee = await maySeeChanges(sources, request);
  const slot = sources.streams.acquire(await holdersOf(sources, request));
  if (slot.kind === 'refused') {
    refuseStream(response, slot.by);
    return;
  }
  const watch = watchOf(sources.watches, wanted, query.lane);
  if (watch === undefined) {
    slot.leave();
    refuseStream(response, 'console');
    return;
  }
  const reader = watchReader(sources, request);
  const isOver = AbortSignal.any([sources.stopping.signal, AbortSignal.timeout(LOGIN_MS), reader.gone]);
  const signal = untilGone(request, response, isOver);
  let place: string | undefined;
  const retryMs = randomInt(RETRY_MS.least, RETRY_MS.most);
  const stream = openEventStream(response, { signal, place: () => place, retryMs });
  const lastId = request.headers['last-event-id'];
  try {
    await sendChanges({
      watch,
      stream,
      filter: wanted.kind === 'fleet' ? wanted.filter : {},
      maySee,
      isBrief: query.brief === 'yes',
      since: typeof lastId === 'string' ? lastId : query.since,
      onPlace: (id) => (place = id),
      signal,
    });
  } finally {
    reader.stop();
    slot.leave();
    stream.end();
  }
}

/** Undefined when too many others are watched. It has to be followed at once: when its last follower leaves, it is given up. */
function watchOf(watches: Watches, wanted: Wanted, lane: string | undefined): Watch | undefined {
  switch (wanted.kind) {
    case 'fleet':
      return watches.fleet;
    case 'deployment':
      return watches.deployment(wanted.id, laneOf(lane));
    case 'pull-request':
      return wanted.pull && watches.pullRequest(wanted.pull);
  }
}
