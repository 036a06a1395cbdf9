/** Records what an operator did while the audit trail was away: the command that did it has ended, or was killed. */
import { trailFact } from '@nereid/domain/events';
import type { OwedAudit } from '@nereid/domain/trail';
import type { OwedAudits } from '@nereid/storage';
import type { Logger } from 'pino';
import type { Publish } from '../events/publish.ts';

interface Context {
  readonly owedAudits: OwedAudits;
  readonly publish: Publish;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Longer than a command waits for storage, the lane and the trail, also where clocks differ: until then, it knows better. */
const OWED_AFTER_MS = 10 * 60_000;

/** Never throws: the next round tries again what fails, and the trail counts its own failures. */
export async function recordOwed(context: Context, nowMs: number): Promise<void> {
  const { owedAudits, logger } = context;
  try {
    const owed = await owedAudits.list((err) => {
      logger.warn({ err }, 'an event that the audit trail lacks cannot be read, and stays');
    });
    for (const each of owed.filter(({ at }) => nowMs - Date.parse(at) >= OWED_AFTER_MS)) await recordOne(context, each);
  } catch (error) {
    logger.warn({ err: error }, 'events that the audit trail lacks could not be listed');
  }
}

/** One that fails holds up no other. */
async function recordOne(context: Context, { requestId, event }: OwedAudit): Promise<void> {
  try {
    await context.publish(trailFact(event));
    await context.owedAudits.remove(requestId);
  } catch (error) {
    context.logger.warn(
      { err: error, event: event.id },
      'an event that the audit trail lacks could not be recorded, and stays',
    );
  }
}
