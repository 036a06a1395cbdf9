import { isNotFound } from './failures.ts';

/** What GitHub answers, or something else where it answers that there is no such object. */
export async function orElse<T>(otherwise: T, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (isNotFound(error)) return otherwise;
    throw error;
  }
}
