/** A job's log, as plain text and live. */
import { hasEnded } from '@nereid/contracts';
import type { JobLogs, LogReader } from '@nereid/storage';
import { Router, type Request, type Response } from 'express';
import type { DeploymentView } from '../deployments/deployment-view.ts';
import { openEventStream, untilGone } from '../streams/event-stream.ts';
import { refuseStream, type StreamSlots } from '../streams/stream-slots.ts';
import { sendTo } from '../html/send-to.ts';
import type { ReaderWatch } from '../login/watch-reader.ts';
import { followLog } from './follow-log.ts';
import { isJobName } from './job-name.ts';
import { sendLog } from './send-log.ts';

export interface LogRoutesContext {
  readonly jobLogs: JobLogs;
  /** Returns the deployment that the request names. When there is none to show, sends the response and returns undefined. */
  readonly viewFor: (request: Request, response: Response) => Promise<DeploymentView | undefined>;
  readonly streams: StreamSlots;
  /** Whether whoever follows a log of this deployment still may. */
  readonly watchReader: (request: Request, view: DeploymentView) => ReaderWatch;
  readonly stopping: AbortSignal;
}

/** The browser comes back by itself and goes on where it was; whoever may not read it any more does not get further. */
const ASKED_AGAIN_AFTER_MS = 5 * 60_000;

export function logRoutes(context: LogRoutesContext): Router {
  const router = Router({ mergeParams: true });

  router.get('/:job', async (request, response) => {
    const log = await logFor(context, request, response);
    if (log) await sendLog(log.reader, response, untilGone(request, response, context.stopping));
  });

  router.get('/:job/events', async (request, response) => {
    const log = await logFor(context, request, response);
    if (!log) return;
    const leave = context.streams.take();
    if (leave === undefined) {
      refuseStream(response);
      return;
    }
    const reader = context.watchReader(request, log.view);
    const gone = untilGone(request, response, context.stopping);
    const signal = AbortSignal.any([gone, reader.gone, AbortSignal.timeout(ASKED_AGAIN_AFTER_MS)]);
    const stream = openEventStream(response, { signal });
    try {
      const { view: _whose, ...what } = log;
      await followLog({ ...what, stream, offset: offsetOf(request), signal });
    } finally {
      reader.stop();
      leave();
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
  { viewFor, jobLogs }: LogRoutesContext,
  request: Request,
  response: Response,
): Promise<Log | undefined> {
  const view = await viewFor(request, response);
  if (!view) return undefined;
  const name: unknown = request.params['job'];
  const job = isJobName(name) ? view.progress.jobs[name] : undefined;
  if (job) {
    const isOver = job.endedAt !== undefined || hasEnded(view.progress.status);
    return { view, reader: jobLogs.reader(job.id), hasEnded: isOver };
  }
  const sentence = 'This deployment has no such job, or not yet.';
  sendTo(request)(response, { status: 404, title: 'Not found', sentence });
  return undefined;
}

/** The browser's last position. A browser that reconnects sends it in a header, the page's script in the address. */
function offsetOf(request: Request): number | undefined {
  const given: unknown = request.headers['last-event-id'] ?? request.query['offset'];
  return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : undefined;
}
