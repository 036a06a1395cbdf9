/** The audit trail has to hear of what was done, and somebody at a terminal waits for it. */
import { trailFact } from '@nereid/domain/events';
import type { OwedAudit } from '@nereid/domain/trail';
import pRetry from 'p-retry';
import type { WorkerContext } from '../platform/context.ts';
import { sentenceOf } from './sentence-of.ts';

type Context = Pick<WorkerContext, 'publish' | 'logger' | 'owedAudits'>;

/** The pauses add up to half a minute: a topic or a disk that is away for longer is not back soon. Attempts take time themselves. */
const PATIENCE = { retries: 5, minTimeout: 1_000, factor: 2, maxRetryTime: 60_000 } as const;

/** For people who wait, one line each. */
export type Report = (line: string) => void;

/** Returns undefined once the trail has the event, else a sentence that says where the event is, and what becomes of it. */
export async function recordPatiently(
  context: Context,
  owed: OwedAudit,
  { report, minTimeout = PATIENCE.minTimeout }: { readonly report: Report; readonly minTimeout?: number },
): Promise<string | undefined> {
  const record = async () => {
    await context.owedAudits.keep(owed);
    await context.publish(trailFact(owed.event));
  };
  try {
    await pRetry(record, {
      ...PATIENCE,
      minTimeout,
      onFailedAttempt: ({ error, attemptNumber, retriesLeft }) => {
        const next = retriesLeft > 0 ? 'trying again' : 'giving up';
        report(
          `recording it in the audit trail, attempt ${attemptNumber} of ${PATIENCE.retries + 1}: ${wordsOf(error)}; ${next}`,
        );
      },
    });
  } catch (error) {
    return `The audit trail does not have it yet: ${wordsOf(error)}. It is kept in storage, and a control worker records it as ${owed.event.id} once the trail is back.`;
  }
  try {
    await context.owedAudits.remove(owed.requestId);
  } catch (error) {
    // A control worker records it once more, under the same id, and removes it.
    context.logger.warn(
      { err: error, event: owed.event.id },
      'an event that the audit trail has could not be forgotten',
    );
  }
  return undefined;
}

function wordsOf(error: unknown): string {
  return sentenceOf(error) ?? String(error);
}
