/** Follows the log of a job until it is complete. After a lost connection, it goes on behind what it has. */
import type { JobName } from '@nereid/api';
import type { Client } from '../client/client.ts';
import type { DeploymentPlace } from '../client/find-deployment.ts';
import { causeOf, throwIfEnded } from '../client/send.ts';
import { EXIT, ExitError } from '../exit-code.ts';
import { createPatience, type Patience } from '../wait/patience.ts';
import { readEvents, type LogEvent } from './read-events.ts';

export interface FollowedJob {
  readonly client: Client;
  readonly place: DeploymentPlace;
  readonly job: JobName;
  /** Begins near the end of a long log. */
  readonly isTail: boolean;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Waited for: an output that is full takes no more. */
  readonly onEvent: (event: LogEvent) => Promise<void>;
  readonly onAway: (why: string) => void;
}

export async function followJob(followed: FollowedJob): Promise<void> {
  const { signal, now, onAway, isTail } = followed;
  const patience = createPatience({ signal, now, onAway });
  let resumeAt = isTail ? undefined : BEGINNING;
  for (;;) {
    try {
      for await (const event of eventsFrom(followed, resumeAt)) {
        patience.wasThere();
        await followed.onEvent(event);
        if (event.name === 'ended' || event.name === 'broke-off') return;
        // A console that comes back leaves nothing out.
        resumeAt = event.id ?? resumeAt ?? (event.name === 'start' ? String(event.fields.skippedBytes) : undefined);
      }
      await connectionLost(patience, signal, 'the console has ended the connection');
    } catch (error) {
      throwIfEnded(signal);
      if (error instanceof ExitError) await patience.endure(error);
      else await connectionLost(patience, signal, causeOf(error));
    }
  }
}

/** In bytes. */
const BEGINNING = '0';

async function* eventsFrom(
  { client, place: { parameters, query }, job, signal }: FollowedJob,
  resumeAt: string | undefined,
): AsyncGenerator<LogEvent, undefined> {
  const place = { parameters: { ...parameters, job }, query };
  yield* readEvents(await client.open('followJobLog', place, { resumeAt, signal }));
}

function connectionLost(patience: Patience, signal: AbortSignal, why: string): Promise<void> {
  throwIfEnded(signal);
  return patience.endure(new ExitError(EXIT.notNow, `the log was interrupted: ${why}`));
}
