/** Follows the logs of a deployment's jobs, one after the other. */
import { JOB_NAMES, type DeploymentDetail, type JobName } from '@nereid/api';
import type { Call } from '../call.ts';
import type { Client } from '../client/client.ts';
import { findDeployment, laneOf, pageOf, type DeploymentPlace } from '../client/find-deployment.ts';
import { pause } from '../client/send.ts';
import { EXIT, ExitError } from '../exit-code.ts';
import { hasColours } from '../output/colours.ts';
import { stateLook } from '../output/looks.ts';
import type { Screen } from '../output/screen.ts';
import { hasEnded, progressText } from '../show/progress-text.ts';
import { createPatience } from '../wait/patience.ts';
import { followJob } from './follow-job.ts';
import { paintSegments } from './paint-segments.ts';
import type { LogEvent } from './read-events.ts';
import { writeText } from './write-text.ts';

export interface Followed {
  readonly call: Call;
  readonly client: Client;
  readonly place: DeploymentPlace;
  readonly signal: AbortSignal;
  readonly isTail: boolean;
}

/** As pages ask. */
const POLL_MS = 2_000;

/** Until the log of the job is complete or, without a job, until the deployment has ended. */
export async function followDeployment(followed: Followed, only: JobName | undefined): Promise<void> {
  const wanted = only === undefined ? JOB_NAMES : [only];
  const done = new Set<JobName>();
  const look = createLook(followed);
  const showWait = createShowWait(followed);
  for (;;) {
    const found = await look();
    const next = wanted.find((job) => !done.has(job) && found.progress.jobs[job] !== undefined);
    if (next !== undefined) {
      await followOne(followed, next);
      done.add(next);
    } else if (done.size === wanted.length || hasEnded(found.progress.status)) {
      end(followed, found, only !== undefined && done.size === 0);
      return;
    } else {
      showWait(found);
      await pause(POLL_MS, followed.signal);
    }
  }
}

function createLook({ call, client, place, signal }: Followed): () => Promise<DeploymentDetail> {
  const { notes, world } = call;
  const onAway = (why: string) => {
    notes.line({ text: `${why}; still trying`, style: 'dim' });
  };
  const patience = createPatience({ signal, now: world.now, onAway });
  return async () => {
    for (;;) {
      try {
        const { value } = await findDeployment(client, place, signal);
        patience.wasThere();
        return value;
      } catch (error) {
        await patience.endure(error);
      }
    }
  };
}

/** Says what the deployment waits for whenever that has changed. */
function createShowWait({ call: { notes }, client }: Followed): (found: DeploymentDetail) => void {
  let shown = '';
  return (found) => {
    const { status } = found.progress;
    const text = progressText(found);
    const story = `${status} ${text}`;
    if (story === shown) return;
    shown = story;
    showProgress(notes, found);
    if (status === 'awaiting-review') notes.line({ text: `  review it at ${pageOf(client, found)}`, style: 'dim' });
  };
}

function showProgress(notes: Screen, found: DeploymentDetail): void {
  const text = progressText(found);
  const look = stateLook(found.progress.status);
  notes.line({ text: `${laneOf(found)}: `, style: 'dim' }, look, text === '' ? '' : `: ${text}`);
}

function end({ call }: Followed, found: DeploymentDetail, hadNone: boolean): void {
  const { status } = found.progress;
  if (hadNone) throw new ExitError(EXIT.notFound, `there is no such log: the deployment is ${status}`);
  if (hasEnded(status)) showProgress(call.notes, found);
}

async function followOne({ call, client, place, signal, isTail }: Followed, job: JobName): Promise<void> {
  const { world, notes } = call;
  const colours = hasColours(world.stdout, world.env);
  const isJson = call.given.has('json');
  const onEvent = async (event: LogEvent) => {
    call.json({ job, event: event.name, ...(event.id !== undefined && { offset: Number(event.id) }), ...event.json });
    if (event.name === 'start' && event.fields.skippedBytes > 0 && !isJson)
      notes.line({ text: `… ${event.fields.skippedBytes} bytes before`, style: 'dim' });
    // Nothing is left out unasked; an older console does it all the same.
    if (event.name === 'skipped')
      notes.line({ text: `… ${event.fields.bytes} bytes are left out here`, style: 'yellow' });
    if (event.name === 'broke-off') notes.line({ text: 'the rest of the log is missing', style: 'yellow' });
    if (event.name === 'ended' && event.fields.lostBytes > 0)
      notes.line({ text: `${event.fields.lostBytes} bytes of the log are lost`, style: 'yellow' });
    if (event.name === 'output' && !isJson)
      await writeText(world.stdout, paintSegments(event.fields.segments, colours), signal);
  };
  const onAway = (why: string) => {
    notes.line({ text: `${why}; trying again`, style: 'dim' });
  };
  await followJob({ client, place, job, isTail, signal, now: world.now, onEvent, onAway });
}
