import type { IntakeResult } from '@nereid/domain/intake';
import { isFinal } from '../platform/failures/failures.ts';

/**
 * Carries out the request of a person. If that fails for good, the person is told why, because a failed activity is seen in
 * Temporal only. If telling the person fails for good as well, so does the activity.
 */
export async function withFailureReported(
  act: () => Promise<IntakeResult>,
  report: (sentence: string) => Promise<IntakeResult>,
): Promise<IntakeResult> {
  try {
    return await act();
  } catch (error) {
    if (!isFinal(error)) throw error;
    return report(error.message);
  }
}
