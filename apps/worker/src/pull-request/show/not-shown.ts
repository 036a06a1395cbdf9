import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';

/** Has Temporal try the activity again then. It is no failure that anybody has to look at. */
export function notShown(message: string, nextRetryDelay: number): ApplicationFailure {
  return ApplicationFailure.create({
    message,
    type: 'NOT_SHOWN',
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay,
  });
}
