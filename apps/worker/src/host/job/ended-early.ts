/** Work that its host ended early: nothing is wrong with it, and it is done again. */
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { SLOT_NEEDED } from '@nereid/domain/temporal-names';
import { stopCauseOf, type StopCause } from '@nereid/subprocess';
import { isFinal } from '../../platform/failures/failures.ts';

/** The failure for work that was stopped for this cause; undefined when its end is its outcome. */
export function endedEarly(cause: StopCause): ApplicationFailure | undefined {
  if (cause === 'host-shutting-down')
    return ApplicationFailure.retryable('the host is shutting down', 'HOST_SHUTTING_DOWN');
  return cause === 'slot-needed' ? slotNeeded() : undefined;
}

/**
 * The error to throw for an error that the work met: if the work stopped because a deployment needed the slot, it says only that.
 */
export function withSlotNeeded(error: unknown, signal: AbortSignal): unknown {
  return wasSlotNeeded(signal) && !isFinal(error) ? slotNeeded() : error;
}

export function wasSlotNeeded(signal: AbortSignal): boolean {
  return signal.aborted && stopCauseOf(signal) === 'slot-needed';
}

function slotNeeded(): ApplicationFailure {
  return ApplicationFailure.create({
    message: 'a deployment needed its slot',
    type: SLOT_NEEDED,
    category: ApplicationFailureCategory.BENIGN,
  });
}
