/** The error with which a call fails; throws when it does not. */
export async function failureOf(call: Promise<unknown>): Promise<Error> {
  try {
    await call;
  } catch (error) {
    return asError(error);
  }
  throw new Error('expected the call to fail, and it did not');
}

export function asError(error: unknown): Error {
  if (error instanceof Error) return error;
  throw error;
}
