/** A job's log, as plain text and live. */
import { hasEnded } from '@nereid/contracts';
import type { JobLogs, LogReader } from '@nereid/storage';
import { Router, type Request, type Response } from 'express';
import type { DeploymentView } from '../deployments/deployment-view.ts';
import type { Message } from '../html/send-message.ts';
import { sendTo } from '../html/send-to.ts';
import { openEventStream } from './event-stream.ts';
import { followLog } from './follow-log.ts';
import { isJobName } from './job-name.ts';
import { sendLog } from './send-log.ts';

export interface LogRoutesContext {
  readonly jobLogs: JobLogs;
  /** Returns the deployment that the request names. When there is none to show, sends the response and returns undefined. */
  readonly viewFor: (request: Request, response: Response) => Promise<DeploymentView | undefined>;
  readonly stopping: AbortSignal;
}

/** Each stream asks the storage twice a second. */
export const STREAMS_LIMIT = 500;

export function logRoutes(context: LogRoutesContext): Router {
  const router = Router({ mergeParams: true });
  let streams = 0;

  router.get('/:job', async (request, response) => {
    const log = await logFor(context, request, response);
    if (log) await sendLog(log.reader, response, untilGone(response, context.stopping));
  });

  router.get('/:job/events', async (request, response) => {
    const log = await logFor(context, request, response);
    if (!log) return;
    if (streams >= STREAMS_LIMIT) {
      response.set('retry-after', '10');
      sendTo(request)(response, TOO_MANY);
      return;
    }
    streams += 1;
    const signal = untilGone(response, context.stopping);
    const stream = openEventStream(response, signal);
    try {
      await followLog({ ...log, stream, offset: offsetOf(request), signal });
    } finally {
      streams -= 1;
      stream.end();
    }
  });

  return router;
}

const TOO_MANY: Message = {
  status: 503,
  title: 'Not now',
  sentence: 'As many readers as the console can serve follow logs at the moment: try again in a moment.',
};

interface Log {
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
    return { reader: jobLogs.reader(job.id), hasEnded: job.endedAt !== undefined || hasEnded(view.progress.status) };
  }
  const sentence = 'This deployment has no such job, or not yet.';
  sendTo(request)(response, { status: 404, title: 'Not found', sentence });
  return undefined;
}

/** Aborted when the browser disconnects or the console stops. */
function untilGone(response: Response, stopping: AbortSignal): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    gone.abort();
  });
  return AbortSignal.any([gone.signal, stopping]);
}

/** The browser's last position. A browser that reconnects sends it in a header, the page's script in the address. */
function offsetOf(request: Request): number | undefined {
  const given: unknown = request.headers['last-event-id'] ?? request.query['offset'];
  return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : undefined;
}
