/** The activities of the retention workflow, for control workers. */
import { SWEEP_PARTS, type RetentionActivities, type SweepParts } from '@nereid/domain/activities';
import { inParts } from '@nereid/domain/parts';
import { Context } from '@temporalio/activity';
import type { WorkerContext } from '../platform/context.ts';
import { withFailures } from '../platform/failures/failures.ts';
import { withHeartbeats } from '../platform/temporal/with-heartbeats.ts';
import { sweep } from './sweep.ts';

export function createRetentionActivities(context: WorkerContext): RetentionActivities {
  const parts = SWEEP_PARTS.map((part): [string, SweepParts[typeof part]] => [
    part,
    (at, after) =>
      withHeartbeats(() => sweep(context, part, { at, after, signal: Context.current().cancellationSignal })),
  ]);
  return { sweep: inParts(withFailures<SweepParts>(Object.fromEntries(parts) as SweepParts)) }; // One for each part.
}
