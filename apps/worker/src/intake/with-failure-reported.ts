import type { IntakeResult } from '@nereid/contracts';
import { isFinal } from '../failures.ts';

/**
 * Does what a person asked for. Where that fails for good, the person is told why: a failed activity is seen in Temporal
 * only. When telling fails for good as well, so does the activity.
 */
export async function withFailureReported(
  act: () => Promise<IntakeResult>,
  tell: (sentence: string) => Promise<IntakeResult>,
): Promise<IntakeResult> {
  try {
    return await act();
  } catch (error) {
    if (!isFinal(error)) throw error;
    return tell(error.message);
  }
}
