/** How much is asked for one person within an hour. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AccessUnknownError } from '../access-unknown.ts';

export interface QuestionLimits {
  /** How many are left. */
  left(person: string): Promise<number>;
  /** Throws an `AccessUnknownError` when there were too many before. */
  spend(person: string, questions: number): Promise<void>;
}

const HOUR_S = 3_600;

export function createQuestionLimits(points: number): QuestionLimits {
  const limiter = new RateLimiterMemory({ points, duration: HOUR_S });
  return {
    left: async (person) => Math.max(0, (await limiter.get(person))?.remainingPoints ?? points),
    async spend(person, questions) {
      try {
        await limiter.consume(person, questions);
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        const why = 'you looked at more repositories within an hour than GitHub is asked about';
        throw new AccessUnknownError(why, Math.ceil(error.msBeforeNext / 1_000), { cause: error });
      }
    },
  };
}
