/** Rejects when the time is over, also where the work does not hear of the signal. */
export async function inTime<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const controller = new AbortController();
  const timer = setTimeout(() => {
    const error = new DOMException(`nothing came within ${ms} ms`, 'TimeoutError');
    // First, so that this is the failure, and not what the work makes of being aborted.
    late.reject(error);
    controller.abort(error);
  }, ms);
  try {
    return await Promise.race([work(controller.signal), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
