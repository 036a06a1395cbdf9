/** A job's log, as plain text and live. */
import { hasEnded } from '@nereid/domain/deployment';
import { poolOf } from '@nereid/domain/root';
import type { JobLogsOfPools, LogReader } from '@nereid/storage';
import { Router, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import type { ReaderWatch } from '../../access/watch-reader.ts';
import { holdersOf, type HolderSources } from '../../login/visitor/holders-of.ts';
import { AWAY } from '../../platform/http/lists.ts';
import { sendTo } from '../../platform/http/send-to.ts';
import { refuseStream, type StreamSlots } from '../../platform/limits/stream-slots.ts';
import { openEventStream, untilGone } from '../../platform/streams/event-stream.ts';
import type { DeploymentView } from '../deployment-view.ts';
import { followLog } from './follow-log.ts';
import { isJobName } from './job-name.ts';
import { sendLog } from './send-log.ts';

export interface LogRouteSources extends HolderSources {
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  readonly jobLogs: JobLogsOfPools;
  readonly streams: StreamSlots;
  /** How long a page waits for storage, in milliseconds. */
  readonly patienceMs: number;
  /** Returns the deployment that the request names. When there is none to show, sends the response and returns undefined. */
  readonly viewFor: (request: Request, response: Response) => Promise<DeploymentView | undefined>;
  /** Whether whoever follows a log of this deployment still may. */
  readonly watchReader: (request: Request, view: DeploymentView) => ReaderWatch;
  /** Aborted when the console stops. */
  readonly signal: AbortSignal;
}

/** The browser comes back by itself and goes on where it was; whoever may not read it any more does not get further. */
const ASKED_AGAIN_AFTER_MS = 5 * 60_000;

export function logRoutes(sources: LogRouteSources): Router {
  const router = Router({ mergeParams: true });

  router.get('/:job', async (request, response) => {
    const log = await logFor(sources, request, response);
    if (!log) return;
    const signal = untilGone(request, response, sources.signal);
    const offset = offsetOf(request.query['offset']) ?? 0;
    try {
      await sendLog(log.reader, response, { offset, patienceMs: sources.patienceMs, signal });
    } catch (err) {
      sources.logger.error({ err, path: request.path }, 'a log cannot be read');
      // A part of it must not look like the whole.
      if (response.headersSent) response.destroy();
      else sendTo(request)(response, AWAY);
    }
  });

  router.get('/:job/events', async (request, response) => {
    const log = await logFor(sources, request, response);
    if (!log) return;
    const slot = sources.streams.acquire(await holdersOf(sources, request));
    if (slot.kind === 'refused') {
      refuseStream(response, slot.by);
      return;
    }
    const reader = sources.watchReader(request, log.view);
    const gone = untilGone(request, response, sources.signal);
    const signal = AbortSignal.any([gone, reader.gone, AbortSignal.timeout(ASKED_AGAIN_AFTER_MS)]);
    const stream = openEventStream(response, { signal });
    try {
      const offset = offsetOf(request.headers['last-event-id'] ?? request.query['offset']);
      const { view: _whose, ...what } = log;
      await followLog({ ...what, stream, offset, isTail: request.query['tail'] === 'yes', signal });
    } finally {
      reader.stop();
      slot.leave();
      stream.end();
    }
  });

  return router;
}

interface Log {
  readonly view: DeploymentView;
  readonly reader: LogReader;
  readonly hasEnded: boolean;
}

/** Uses the deployment's own job id, never one from the address: a reader of one deployment must not read another's log. */
async function logFor(
  { viewFor, jobLogs }: Pick<LogRouteSources, 'viewFor' | 'jobLogs'>,
  request: Request,
  response: Response,
): Promise<Log | undefined> {
  const view = await viewFor(request, response);
  if (!view) return undefined;
  const name: unknown = request.params['job'];
  const job = isJobName(name) ? view.progress.jobs[name] : undefined;
  if (job) {
    const isOver = job.endedAt !== undefined || hasEnded(view.progress.status);
    return { view, reader: jobLogs.of(poolOf(view.deployment.root)).reader(job.id), hasEnded: isOver };
  }
  const sentence = 'This deployment has no such job, or not yet.';
  sendTo(request)(response, { status: 404, title: 'Not found', sentence });
  return undefined;
}

/** The client's last position. A browser that reconnects sends it in a header, the page's script in the address. */
function offsetOf(given: unknown): number | undefined {
  return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : undefined;
}
