import { isNotFound } from './failures.ts';

/** GitHub's answer, or something else where GitHub answers that there is no such object. */
export async function orElse<T>(otherwise: T, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (isNotFound(error)) return otherwise;
    throw error;
  }
}
