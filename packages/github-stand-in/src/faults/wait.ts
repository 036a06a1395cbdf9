import type { Response } from 'express';

/** Waits, but not for a caller who has gone. */
export async function waitUnlessClosed(ms: number, response: Response): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, ms, undefined);
  response.once('close', () => {
    resolve(undefined);
  });
  await promise;
  clearTimeout(timer);
}
